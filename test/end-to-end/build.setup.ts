import { test as setup } from '@playwright/test';
import { buildDemo, buildScript } from './build.ts';

setup('build the demo and the plain script', () => Promise.all([buildDemo(), buildScript()]));
