/** Rules that an update of a definition may break because the stored definition already breaks them. */

import type { CustomResourceConversion } from '../../../generated/types/apiextensions/v1/types.js';
import { authoritiesProblem } from '../../../runtime/codec/certificates/certificates.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden, invalidValue, required, stringList } from '../../../runtime/objects/field-error.js';
import { dns1035Label } from '../../../runtime/objects/names/name-checks.js';
import { PLAIN, readSchema } from '../../../runtime/schema/read-schema.js';
import {
  schemaFindings,
  structuralErrors,
  topNode,
  unreadableProblem,
  type WrittenSchema,
} from '../../../runtime/schema/structural/index.js';
import { checkRequiredOneOf, type FieldErrors } from '../../shared/field-checks.js';
import { webhookClientErrors } from '../../shared/webhook-clients.js';
import type { Spec, Version } from '../definition-versions.js';
import { defaultErrors } from './defaults.js';
import type { Expressions } from './expressions.js';
import { allRequired, ratchetOf, type SchemaRatchets } from './keyword-errors.js';

/** The rules that a definition must follow. */
export interface Ratchets {
  readonly schema: SchemaRatchets;
  /** Every version must have a schema. */
  readonly requireSchemas: boolean;
  /** A webhook must list a review version that the server knows. */
  readonly requireKnownReview: boolean;
  /**
   * The certificate authorities of a webhook must be readable. The server does not serve a new definition with
   * unreadable ones.
   */
  readonly requireAuthorities: boolean;
  /** Returns whether the stored version has the same schema. */
  readonly keepsSchema: (version: Version) => boolean;
}

/** All rules, as for a new definition. */
export const strictest: Ratchets = {
  schema: allRequired,
  requireSchemas: true,
  requireKnownReview: true,
  requireAuthorities: false,
  keepsSchema: () => false,
};

/** Returns the rules for an update of a stored spec. */
export function ratchetsOf(old: Spec, expressions: Expressions): Ratchets {
  const versions = old.versions ?? [];
  const roots = versions.map(({ schema }) => schema?.openAPIV3Schema);
  const schemas = roots.filter((root) => root !== undefined);
  const broken = new Set(
    schemas.flatMap((schema) => [...schemaFindings(topNode(schema))].map(({ rule }) => ratchetOf(rule))),
  );
  return {
    requireSchemas: schemas.length === roots.length,
    requireKnownReview: namesKnownReview(old.conversion),
    requireAuthorities: expressions.checksAuthorities && bundleProblem(old.conversion) === undefined,
    keepsSchema: ({ name, schema }) =>
      versions.some((version) => version.name === name && equal(version.schema, schema)),
    schema: {
      requireKnownTypes: !broken.has('requireKnownTypes'),
      requireStructure: schemas.every(isStructural),
      requirePrunedDefaults: () => schemas.every((schema) => hasPrunedDefaults(schema, expressions)),
      requireAtomicSets: !broken.has('requireAtomicSets'),
      requireListKeys: !broken.has('requireListKeys'),
      requireCheapRules: true,
    },
  };
}

function isStructural(schema: WrittenSchema): boolean {
  return unreadableProblem(schema) === undefined && structuralErrors(schema, '').length === 0;
}

function hasPrunedDefaults(schema: WrittenSchema, expressions: Expressions): boolean {
  if (!isStructural(schema)) return true;
  const root = readSchema(schema, PLAIN);
  const count = (prunes: boolean): number => [...defaultErrors(root, '', expressions, () => prunes)].length;
  return count(true) === count(false);
}

/** Versions of ConversionReview that the server sends, best first. */
const reviewVersions = ['v1', 'v1beta1'];

const elsewhere = 'should not be set when strategy is not set to Webhook';

interface ConversionRatchet {
  /** Whether the webhook must list a review version that the server knows. */
  readonly requireKnownReview: boolean;
  /** Whether the certificate authorities of the webhook must be readable. */
  readonly requireAuthorities: boolean;
}

type Conversion = Draft<CustomResourceConversion>;

/** Checks the conversion of a spec. Errors use the field names of v1beta1. */
export function* conversionErrors(
  conversion: Conversion | undefined,
  { requireKnownReview, requireAuthorities }: ConversionRatchet,
): FieldErrors {
  if (conversion === undefined) return;
  const client = conversion.webhook?.clientConfig;
  const versions = conversion.webhook?.conversionReviewVersions ?? [];
  const clientPath = 'spec.conversion.webhookClientConfig';
  const versionsPath = 'spec.conversion.conversionReviewVersions';
  yield* checkRequiredOneOf(conversion.strategy, 'spec.conversion.strategy', ['None', 'Webhook']);
  if (conversion.strategy !== 'Webhook') {
    if (client !== undefined) yield forbidden(clientPath, elsewhere);
    if (versions.length > 0) yield forbidden(versionsPath, elsewhere);
    return;
  }
  if (client === undefined) yield required(clientPath, 'required when strategy is set to Webhook');
  else yield* webhookClientErrors(client, clientPath);
  yield* reviewErrors(versions, requireKnownReview, versionsPath);
  const problem = requireAuthorities ? bundleProblem(conversion) : undefined;
  if (problem === undefined) return;
  yield invalidValue(`${clientPath}.caBundle`, client?.caBundle, `unable to load root certificates: ${problem}`);
}

/** Returns why the authorities of a conversion's webhook cannot be read. */
const bundleProblem = (conversion: Conversion | undefined): string | undefined =>
  authoritiesProblem(Buffer.from(conversion?.webhook?.clientConfig?.caBundle ?? '', 'base64'));

/** Returns whether a stored conversion lists a known review version, so that an update must too. */
function namesKnownReview(conversion: Conversion | undefined): boolean {
  const versions = conversion?.webhook?.conversionReviewVersions ?? [];
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
}

function* reviewErrors(versions: readonly string[], requireKnown: boolean, path: string): FieldErrors {
  if (versions.length === 0) yield required(path);
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) {
      yield invalidValue(`${path}[${i}]`, version, 'duplicate version');
      continue;
    }
    seen.add(version);
    for (const problem of dns1035Label(version)) yield invalidValue(`${path}[${i}]`, version, problem);
  }
  if (versions.length === 0 || !requireKnown || reviewVersions.some((version) => seen.has(version))) return;
  yield invalidValue(path, stringList(versions), `must include at least one of ${reviewVersions.join(', ')}`);
}
