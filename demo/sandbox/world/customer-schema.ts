/** The customers as the state file keeps them. */
import * as z from 'zod/mini';
import { FIELD_TYPES, INTERACTION_KINDS, INTERACTION_TYPES } from './customer-data.ts';

const option = z.object({
  code: z.string(),
  type: z.enum(['OPTION', 'OPTGROUP']),
  groupCode: z.string(),
  name: z.string(),
  color: z.string(),
  textColor: z.string(),
  number: z.number(),
  createdAt: z.number(),
});

const field = z.object({
  code: z.string(),
  type: z.enum(FIELD_TYPES),
  name: z.string(),
  description: z.string(),
  color: z.string(),
  textColor: z.string(),
  number: z.number(),
  isRequired: z.boolean(),
  isUnique: z.boolean(),
  isDefault: z.boolean(),
  createdAt: z.number(),
  options: z.array(option),
});

const customer = z.object({ createdAt: z.number(), values: z.record(z.string(), z.string()) });

const interaction = z.object({
  createdAt: z.number(),
  customerCode: z.string(),
  memberNo: z.string(),
  type: z.enum(INTERACTION_TYPES),
  kind: z.enum(INTERACTION_KINDS),
  content: z.string(),
});

export const customerDataSchema = z.object({
  fields: z.array(field),
  customers: z.array(customer),
  interactions: z.array(interaction),
});
