/** The compiled functions against an interpreter that says the same in the plainest way. */
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../../generator/check/load-definitions.js';
import type { FieldError, JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { equal } from '../../../../runtime/objects/equality.js';
import { compileSchema } from '../../../../runtime/schema/index.js';
import { fittingObject, mutate, mutations, structuralSchema } from '../../../support/arbitrary-schemas.js';
import { typedSchema } from '../../../support/arbitrary-typed-schemas.js';
import { functionsOf, type Outcome, run } from '../../../support/compiled.js';
import { definitionIn, readSample, samples, versionsFor } from '../../../support/crds.js';
import { effort } from '../../../support/effort.js';
import { interpret } from '../../../support/schema-interpreter/structural.js';
import { interpretTyped, interpretUpdate } from '../../../support/schema-interpreter/typed.js';
import { hasShared, root } from '../../../support/shared.js';

const seed = 20240229;

/** How many generated schemas are tried; of each kind of this project, a fortieth as many objects. */
const schemas = effort('KINDFORGE_SCHEMA_RUNS', 80, 300);

/** Returns the differences between two outcomes. */
function difference(a: Outcome, b: Outcome): string[] {
  const found: string[] = [];
  if (a.unreadable !== b.unreadable) found.push(`${a.unreadable} | ${b.unreadable}`);
  if (a.unreadable !== undefined) return found;
  if (a.unknown.join() !== b.unknown.join()) found.push(`unknown ${a.unknown.join()} | ${b.unknown.join()}`);
  if (!equal(a.object, b.object)) found.push(`object ${show(a.object)} | ${show(b.object)}`);
  const [errors, others] = [a.errors.map(show), b.errors.map(show)];
  if (errors.join() !== others.join()) found.push(`errors ${errors.join()} | ${others.join()}`);
  return found;
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));

/** Returns the differences for a typed kind, at a create and at an update from another object. */
function compareTyped(schema: Schema, kind: string, object: JsonObject, old: JsonObject): string[] {
  const functions = functionsOf(schema, { decoding: 'typed', kind });
  const [now, before] = [run(functions, clone(object)), run(functions, clone(old))];
  const found = difference(now, interpretTyped(schema, clone(object), kind));
  if (now.unreadable !== undefined || before.unreadable !== undefined) return found;
  const errors: FieldError[] = [];
  functions.validateUpdate?.(now.object, before.object, errors);
  const [changes, others] = [errors, interpretUpdate(schema, now.object, before.object)].map((list) =>
    list.map(show).join(),
  );
  return changes === others ? found : [...found, `changes ${changes} | ${others}`];
}

function compare(schema: Schema, object: JsonObject): string[] {
  return difference(run(functionsOf(schema), clone(object)), interpret(schema, clone(object)));
}

describe('compiled functions agree with an interpreter', () => {
  it('on generated schemas', { timeout: 300_000 }, () => {
    const cases = structuralSchema.chain((schema) =>
      fc.tuple(fc.constant(schema), fc.array(fittingObject(schema), { minLength: 3, maxLength: 3 })),
    );
    const property = fc.property(cases, ([schema, objects]) => {
      for (const object of objects) expect(compare(schema, object)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: schemas });
  });

  it('on generated schemas of typed kinds', { timeout: 300_000 }, () => {
    const cases = typedSchema.chain((schema) => {
      return fc.tuple(fc.constant(schema), fc.array(fittingObject(schema), { minLength: 4, maxLength: 4 }));
    });
    const property = fc.property(cases, ([schema, objects]) => {
      objects.forEach((object, i) => {
        expect(compareTyped(schema, 'Thing', object, objects[i - 1] ?? {})).toEqual([]);
      });
    });
    fc.assert(property, { seed, numRuns: schemas });
  });

  it('on the kinds of this project', { timeout: 300_000 }, () => {
    const { resources } = loadDefinitions(join(root, 'schemas')).model;
    const typed = resources.filter(({ decoding }) => decoding === 'typed');
    expect(typed).not.toEqual([]);
    for (const { names, versions } of typed) {
      for (const { schema } of versions) {
        const objects = fc.array(fittingObject(schema), { minLength: 2, maxLength: 2 });
        const property = fc.property(objects, ([object = {}, old = {}]) => {
          expect(compareTyped(schema, names.kind, object, old)).toEqual([]);
        });
        fc.assert(property, { seed, numRuns: Math.ceil(schemas / 40) });
      }
    }
  });

  it('whose text is the same each time', () => {
    const text = (schema: Schema): string => compileSchema(schema, { decoding: 'structural' }).text;
    const property = fc.property(structuralSchema, (schema) => text(schema) === text(structuredClone(schema)));
    fc.assert(property, { seed, numRuns: 200 });
  });
});

describe.skipIf(!hasShared)('samples of other projects (skipped where they are not beside the checkout)', () => {
  const readable: { file: string; schema: Schema; object: JsonObject }[] = [];
  beforeAll(() => {
    for (const sample of samples()) {
      const object = readSample(sample);
      if (object === undefined) continue;
      const { schema } = versionsFor(definitionIn(sample.definition), object).version;
      readable.push({ file: sample.file, schema, object });
    }
  }, 300_000);

  it('are the same to both', { timeout: 300_000 }, () => {
    const differing = readable.flatMap(({ file, schema, object }) => {
      return compare(schema, object).map((text) => `${file}: ${text}`);
    });
    expect(differing).toEqual([]);
  });

  it('are the same to both with mistakes in them', { timeout: 300_000 }, () => {
    const property = fc.property(fc.nat(), mutations, (index, changes) => {
      const { schema, object } = readable[index % readable.length] ?? { schema: {}, object: {} };
      const changed = clone(object);
      mutate(changed, changes);
      expect(compare(schema, changed)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: effort('KINDFORGE_SAMPLE_RUNS', 1_000, 10_000) });
  });
});
