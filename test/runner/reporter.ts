/** A reporter of `node:test` that tells the runner, and prints nothing. */
import { inspect } from 'node:util';
import type { TestEvent } from 'node:test/reporters';
import type { WorkerMessage } from './message.ts';

// oxlint-disable-next-line import/no-default-export -- what `--test-reporter` looks for
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const message = messageFor(event);
    if (message) process.send?.(message);
  }
  yield '';
}

function messageFor(event: TestEvent): WorkerMessage | undefined {
  switch (event.type) {
    case 'test:dequeue':
      return { type: 'started', nesting: event.data.nesting, name: event.data.name };
    case 'test:start':
      return { type: 'path', nesting: event.data.nesting, name: event.data.name };
    case 'test:diagnostic':
      return { type: 'note', text: event.data.message };
    case 'test:pass':
    case 'test:fail': {
      const { nesting, name, details, skip } = event.data;
      const error = 'error' in details ? details.error : undefined;
      return {
        type: 'ended',
        nesting,
        name,
        isSuite: details.type === 'suite',
        ms: details.duration_ms,
        outcome: outcomeOf(event.type, skip),
        isOnlyParent: Reflect.get(error ?? {}, 'failureType') === 'subtestsFailed',
        reason: error ? inspect(error.cause ?? error) : typeof skip === 'string' ? skip : undefined,
      };
    }
    default:
      return undefined;
  }
}

function outcomeOf(type: 'test:pass' | 'test:fail', skip: string | boolean | undefined) {
  if (type === 'test:fail') return 'failed';
  return skip === undefined || skip === false ? 'passed' : 'skipped';
}
