/** The agent's choice, in the storage of the browser. */
import * as z from 'zod/mini';
import { Stored } from '../page/stored.ts';
import type { DeviceChoice } from './state.ts';

const deviceSchema = z.object({ id: z.string(), label: z.string(), isTwin: z.optional(z.boolean()) });

export const remembered = new Stored<DeviceChoice>(
  'devices',
  z.object({
    microphone: deviceSchema,
    speaker: deviceSchema,
    ringers: z.array(deviceSchema).check(z.refine((ringers) => ringers.length > 0)),
  }),
);
