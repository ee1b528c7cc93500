import { expect } from '@open-wc/testing';
import { watchLeaving } from '../../src/page/leaving.ts';

let told: string[];
let isInCall: boolean;
let watch: AbortController;
beforeEach(() => {
  told = [];
  isInCall = false;
  watch = new AbortController();
  const listener = {
    leave: () => told.push('leave'),
    comeBack: () => told.push('come back'),
    isInCall: () => isInCall,
  };
  watchLeaving(listener, watch.signal);
});
afterEach(() => watch.abort());

const goes = (name: 'pagehide' | 'pageshow', persisted = true) =>
  dispatchEvent(new PageTransitionEvent(name, { persisted }));
const turns = (name: 'freeze' | 'resume') => document.dispatchEvent(new Event(name));

describe('a page that is left', () => {
  it('tells in the same task, whether it may come back or not', () => {
    goes('pagehide', false);
    expect(told).to.deep.equal(['leave']);
  });

  it('tells once of each way, although the browser says it twice', () => {
    goes('pagehide');
    turns('freeze');
    turns('resume');
    goes('pageshow');
    expect(told).to.deep.equal(['leave', 'come back']);
    goes('pagehide');
    expect(told).to.deep.equal(['leave', 'come back', 'leave']);
  });

  it('is not one that is shown for the first time', () => {
    goes('pageshow', false);
    turns('resume');
    expect(told).to.deep.equal([]);
  });

  it('may be one that is frozen in the background, but not in a call', () => {
    isInCall = true;
    turns('freeze');
    turns('resume');
    expect(told).to.deep.equal([]);
    isInCall = false;
    turns('freeze');
    turns('resume');
    expect(told).to.deep.equal(['leave', 'come back']);
  });

  it('tells nobody whose watch is over', () => {
    watch.abort();
    goes('pagehide');
    turns('freeze');
    expect(told).to.deep.equal([]);
  });
});
