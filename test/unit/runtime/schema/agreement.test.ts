/** The compiled functions against an interpreter that says the same in the plainest way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { equal } from '../../../../runtime/objects/equality.js';
import { compileSchema } from '../../../../runtime/schema/index.js';
import { fittingObject, mutate, mutations, structuralSchema } from '../../../support/arbitrary-schemas.js';
import { functionsOf, type Outcome, run } from '../../../support/compiled.js';
import { definitionIn, readSample, samples, versionsFor } from '../../../support/crds.js';
import { interpret } from '../../../support/schema-interpreter.js';
import { hasShared } from '../../../support/shared.js';

const seed = 20240229;

/** What differs between two outcomes; nothing if they are the same. */
function difference(a: Outcome, b: Outcome): string[] {
  const found: string[] = [];
  if (a.unreadable !== b.unreadable) found.push(`${a.unreadable} | ${b.unreadable}`);
  if (a.unknown.join() !== b.unknown.join()) found.push(`unknown ${a.unknown.join()} | ${b.unknown.join()}`);
  if (!equal(a.object, b.object)) found.push(`object ${show(a.object)} | ${show(b.object)}`);
  const [errors, others] = [a.errors.map(show), b.errors.map(show)];
  if (errors.join() !== others.join()) found.push(`errors ${errors.join()} | ${others.join()}`);
  return found;
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));

function compare(schema: Schema, object: JsonObject): string[] {
  return difference(run(functionsOf(schema), clone(object)), interpret(schema, clone(object)));
}

describe('compiled functions agree with an interpreter', () => {
  it('on generated schemas', { timeout: 120_000 }, () => {
    const cases = structuralSchema.chain((schema) =>
      fc.tuple(fc.constant(schema), fc.array(fittingObject(schema), { minLength: 3, maxLength: 3 })),
    );
    const property = fc.property(cases, ([schema, objects]) => {
      for (const object of objects) expect(compare(schema, object)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: 3000 });
  });

  it('whose text is the same each time', () => {
    const text = (schema: Schema): string => compileSchema(schema, { decoding: 'structural' }).text;
    const property = fc.property(structuralSchema, (schema) => text(schema) === text(structuredClone(schema)));
    fc.assert(property, { seed, numRuns: 200 });
  });
});

describe.skipIf(!hasShared)('samples of other projects (skipped where they are not beside the checkout)', () => {
  const readable = hasShared ? samples().filter((sample) => readSample(sample) !== undefined) : [];
  const fresh = (index: number): { schema: Schema; object: JsonObject } => {
    const sample = readable[index % readable.length];
    const object = sample && readSample(sample);
    if (sample === undefined || object === undefined) throw new Error('no sample');
    return { schema: versionsFor(definitionIn(sample.definition), object).version.schema, object };
  };

  it('are the same to both', { timeout: 300_000 }, () => {
    const differing = readable.flatMap((sample, i) => {
      const { schema, object } = fresh(i);
      return compare(schema, object).map((text) => `${sample.file}: ${text}`);
    });
    expect(differing).toEqual([]);
  });

  it('are the same to both with mistakes in them', { timeout: 300_000 }, () => {
    const property = fc.property(fc.nat(readable.length - 1), mutations, (index, changes) => {
      const { schema, object } = fresh(index);
      mutate(object, changes);
      expect(compare(schema, object)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: 4000 });
  });
});
