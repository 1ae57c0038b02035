/** Compares the compiled functions with a real server's answers to the samples of other projects. */
import { describe, expect, it } from 'vitest';
import type { FieldError, JsonObject } from '../../../../runtime/contract/index.js';
import { equal } from '../../../../runtime/objects/equality.js';
import { functionsOf } from '../../../support/compiled.js';
import {
  type Answer,
  answers,
  definitionIn,
  readSample,
  type Sample,
  samples,
  versionsFor,
} from '../../../support/crds.js';
import { hasShared } from '../../../support/shared.js';

interface Found {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly errors: readonly FieldError[];
  readonly object: JsonObject;
}

const unreadable: Found = { code: 400, warnings: [], errors: [], object: {} };

/** Runs the steps of a create that schemas decide: decoding, dropping status, validation, storage. */
function create(sample: Sample): Found {
  const object = readSample(sample);
  if (object === undefined) return unreadable;
  const definition = definitionIn(sample.definition);
  const { version, stored } = versionsFor(definition, object);
  const warnings: string[] = [];
  const errors: FieldError[] = [];
  const functions = functionsOf(version.schema);
  if (functions.normalize?.(object) !== undefined) return unreadable;
  functions.prune(object, (path) => warnings.push(`unknown field "${path}"`));
  functions.applyDefaults(object);
  if (version.hasStatus) delete object.status;
  functions.validate(object, errors);
  // The object is stored in the stored version, and read back in the version of the request.
  const storedFunctions = functionsOf(stored.schema);
  storedFunctions.prune(object, () => {});
  storedFunctions.applyDefaults(object);
  functions.prune(object, () => {});
  return { code: errors.length > 0 ? 422 : 201, warnings, errors, object };
}

const withoutMetadata = ({ metadata: _, ...rest }: JsonObject): JsonObject => rest;
const textOf = ({ field, reason, message }: { field: string; reason: string; message: string }): string =>
  `${reason} ${field}: ${message}`;

/** Compares everything in an answer except metadata and rules in CEL. */
function compare(sample: Sample, answer: Answer, found: Found): string[] {
  const differences: string[] = [];
  const own = (text: string): boolean => !text.includes('metadata.') || text.includes('.metadata.');
  const expectedWarnings = answer.warnings.filter((text) => text.startsWith('unknown field') && own(text));
  if (expectedWarnings.join() !== found.warnings.join()) differences.push(`warnings ${found.warnings.join()}`);
  const wanted = (answer.causes ?? []).filter(
    ({ field, message }) => field !== 'metadata.name' && field !== rulesSkipped && !isRule(sample, message),
  );
  const [causes, errors] = [wanted.map(textOf).sort(), found.errors.map(textOf).sort()];
  if (causes.join('\n') !== errors.join('\n')) differences.push(`causes ${errors.join('; ')}`);
  if (answer.code === 400 && found.code !== 400) differences.push('is not refused with 400');
  const { object } = answer;
  if (object !== undefined && !equal(withoutMetadata(object), withoutMetadata(found.object))) {
    differences.push(`object ${JSON.stringify(found.object)}`);
  }
  return differences;
}

/** The field of the cause that reports skipped rules. */
const rulesSkipped = '<nil>';

/** Returns whether a cause is the message of one of the definition's rules. */
function isRule({ definition }: Sample, message: string): boolean {
  const schemas = JSON.stringify(definitionIn(definition).versions.map(({ schema }) => schema));
  const words = message.replace(/^Invalid value: "[a-z]+": /, '');
  return schemas.includes(`"message":${JSON.stringify(words)}`);
}

/** Samples with another result, and the reason. */
const known: Readonly<Record<string, string>> = {};

describe.skipIf(!hasShared)('samples of other projects (skipped if they are not beside the checkout)', () => {
  const expected = answers();
  it('have the results of a real server', { timeout: 300_000 }, () => {
    const differing: string[] = [];
    let compared = 0;
    for (const sample of samples()) {
      const answer = expected.get(sample.file);
      if (answer === undefined) continue;
      compared++;
      const differences = compare(sample, answer, create(sample));
      if (differences.length > 0) differing.push(`${sample.file}: ${differences.join(' | ')}`);
    }
    expect(compared).toBe(expected.size);
    const unlisted = differing.filter((line) => !Object.keys(known).some((file) => line.startsWith(file)));
    expect(unlisted).toEqual([]);
    expect(differing).toHaveLength(Object.keys(known).length);
  });
});
