/** The customers as the state file keeps them. */
import * as z from 'zod/mini';
import {
  FIELD_TYPES,
  INTERACTION_KINDS,
  type InteractionKind,
  type InteractionType,
} from './customer-data.ts';

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

export const interactionType = z.enum(Object.keys(INTERACTION_KINDS) as [InteractionType]);
export const interactionKind = z.enum(Object.values(INTERACTION_KINDS).flat() as [InteractionKind]);

const interaction = z.object({
  createdAt: z.number(),
  customerCode: z.string(),
  memberNo: z.string(),
  type: interactionType,
  kind: interactionKind,
  content: z.string(),
});

export const customerDataSchema = z.object({
  fields: z.array(field),
  customers: z.array(customer),
  interactions: z.array(interaction),
});
