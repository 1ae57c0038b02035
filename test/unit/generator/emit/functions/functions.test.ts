/** The functions emitter prints functions of shared types once, and they do what functions compiled at run time do. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../../../generated/registry.js';
import { createFunctionsEmitter } from '../../../../../generator/emit/functions/functions.js';
import type { Model } from '../../../../../generator/model/model.js';
import type { FieldError, JsonObject, SchemaFunctions } from '../../../../../runtime/contract/index.js';
import { clone } from '../../../../../runtime/objects/clone.js';
import { fittingObject } from '../../../../support/arbitrary-schemas.js';
import { functionsOf, run as outcomeOf } from '../../../../support/compiled.js';
import { customResource, emit, modelOf, nativeResource, run, typeErrors, typeLibrary } from '../emitting.js';

const ref = (type: string, beside: object = {}): object => ({ $ref: type, ...beside });
const object = (properties: object, beside: object = {}): object => ({ type: 'object', properties, ...beside });
const short = { type: 'string', maxLength: 5 };

const shop = typeLibrary('shop/v1', {
  Part: object({ name: short, place: ref('store/v1#/Place') }, { required: ['name'] }),
  Unused: object({ name: short }),
});
const store = typeLibrary('store/v1', {
  Place: object({ shelf: { type: 'integer', minimum: 1, default: 1 } }),
  Part: object({ code: short }),
});
const gadget = nativeResource(
  'Gadget',
  'things.org',
  object({ part: ref('shop/v1#/Part'), other: ref('store/v1#/Part') }),
);
const gizmo = nativeResource('Gizmo', 'things.org', object({ parts: { type: 'array', items: ref('shop/v1#/Part') } }));
const narrow = ref('shop/v1#/Part', { required: ['name', 'place'] });
const grommet = nativeResource('Grommet', 'things.org', object({ part: narrow }));
const widget = customResource({ kind: 'Widget', spec: { type: 'object', properties: { size: { type: 'integer' } } } });

const emitFunctions = (...documents: readonly object[]): ReadonlyMap<string, string> =>
  emit(modelOf(...documents), [createFunctionsEmitter()]);
const files = emitFunctions(shop, store, gadget, gizmo, grommet, widget);
const textOf = (path: string, among = files): string => among.get(`${path}/functions.ts`) ?? '';
const definedIn = (text: string): readonly string[] =>
  [...text.matchAll(/^export function (\w+)/gm)].map(([, name = '']) => name);
const functionsIn = (plural: string): SchemaFunctions =>
  run(files, `things.org/v1/${plural}/functions.ts`).functions as SchemaFunctions;

describe('functions of shared types', () => {
  it('are in the files of their libraries, and nowhere else', () => {
    const shared = ['defaultPart', 'normalizePart', 'prunePart', 'validatePart', 'validatePart2'];
    expect(definedIn(textOf('types/shop/v1'))).toEqual(shared);
    expect(definedIn(textOf('types/store/v1'))).toEqual([
      'normalizePart',
      'prunePart',
      'validatePart',
      'defaultPlace',
      'normalizePlace',
      'prunePlace',
      'validatePlace',
    ]);
    for (const plural of ['gadgets', 'gizmos', 'grommets']) {
      expect(textOf(`things.org/v1/${plural}`)).not.toMatch(/^function (normalize|prune|default)(Part|Place)\(/m);
    }
  });

  it('are imported under other names where two libraries have the same', () => {
    expect(textOf('things.org/v1/gadgets')).toContain('validatePart as validatePart2');
    const errors: FieldError[] = [];
    functionsIn('gadgets').validate({ part: {}, other: { code: 'too long' } }, errors);
    expect(errors.map(({ field, reason }) => `${field} ${reason}`)).toEqual([
      'part.name FieldValueRequired',
      'other.code FieldValueTooLong',
    ]);
  });

  it('have a number where a schema says more than the type', () => {
    const errorsOf = (plural: string, value: JsonObject): readonly string[] => {
      const errors: FieldError[] = [];
      functionsIn(plural).validate(value, errors);
      return errors.map(({ field }) => field);
    };
    expect(textOf('things.org/v1/grommets')).toContain(' validatePart2 ');
    expect(errorsOf('grommets', { part: { name: 'a' } })).toEqual(['part.place']);
    expect(errorsOf('gizmos', { parts: [{ name: 'a' }] })).toEqual([]);
  });

  it('do not depend on who uses them, or on the order of files', () => {
    const one = emitFunctions(shop, store, gizmo);
    const other = emitFunctions(gadget, store, gizmo, shop, widget);
    const withoutHeader = (text: string): string => text.slice(text.indexOf('\n'));
    expect(withoutHeader(textOf('types/shop/v1', one))).toBe(withoutHeader(textOf('types/shop/v1', other)));
  });

  it('are imported by libraries that refer to each other', () => {
    const a = typeLibrary('a/v1', { One: object({ two: ref('b/v1#/Two') }), Three: object({ name: short }) });
    const b = typeLibrary('b/v1', { Two: object({ three: ref('a/v1#/Three') }) });
    const made = emitFunctions(a, b, nativeResource('Thing', 'things.org', object({ one: ref('a/v1#/One') })));
    expect(textOf('types/a/v1', made)).toContain(`from '../../b/v1/functions.js'`);
    expect(textOf('types/b/v1', made)).toContain(`from '../../a/v1/functions.js'`);
    const { functions } = run(made, 'things.org/v1/things/functions.ts') as { functions: SchemaFunctions };
    const errors: FieldError[] = [];
    functions.validate({ one: { two: { three: { name: 'too long' } } } }, errors);
    expect(errors.map(({ field }) => field)).toEqual(['one.two.three.name']);
  });

  it('type-check', () => {
    expect(typeErrors(files, true)).toEqual([]);
  });
});

describe('generated functions', () => {
  const typed = registry.filter(({ decoding }) => decoding === 'typed');

  it.each(typed)(
    'of $group/$version $names.plural do what those compiled at run time do',
    async (module) => {
      const { names, version } = module;
      const { schema, functions } = await module.code();
      const compiled = functionsOf(schema, { decoding: 'typed', kind: names.kind, version });
      const pair = fc.array(fittingObject(schema), { minLength: 2, maxLength: 2 });
      const property = fc.property(pair, ([now = {}, old = {}]) => {
        const outcomes = [functions, compiled].map((each) => outcomeOf(each, clone(now)));
        expect(outcomes[0]).toEqual(outcomes[1]);
        const changes = [functions, compiled].map((each) => {
          const errors: FieldError[] = [];
          each.validateUpdate?.(now, old, errors);
          return errors;
        });
        expect(changes[0]).toEqual(changes[1]);
      });
      fc.assert(property, { seed: 20240229, numRuns: 10 });
    },
    300_000,
  );
});

describe('the emitter', () => {
  const emitModel = (emitter: ReturnType<typeof createFunctionsEmitter>, model: Model) =>
    emitter.emitModel?.(model) ?? [];
  const changed = (model: Model, kind: string): Model => ({
    ...model,
    resources: model.resources.map((resource) => {
      if (resource.names.kind !== kind) return resource;
      const versions = resource.versions.map((version) => {
        const properties = { ...version.schema.properties, more: { type: 'string', maxLength: 5 } as const };
        return { ...version, schema: { ...version.schema, properties } };
      });
      return { ...resource, versions };
    }),
  });

  it('prints again only what consists of something else', () => {
    const emitter = createFunctionsEmitter();
    const model = modelOf(shop, store, gadget, gizmo, widget);
    const before = emitModel(emitter, model);
    const after = emitModel(emitter, changed(model, 'Gizmo'));
    const isSame = after.map((file, index) => [file.path, file === before[index]]);
    expect(isSame).toEqual([
      ['things.org/v1/gadgets/functions.ts', true],
      ['things.org/v1/gizmos/functions.ts', false],
      ['types/shop/v1/functions.ts', true],
      ['types/store/v1/functions.ts', true],
    ]);
    // Another object that says the same, and a resource that has nothing to do with shared types.
    const again = emitModel(emitter, changed(changed(model, 'Gizmo'), 'Widget'));
    expect(again.every((file, index) => file === after[index])).toBe(true);
  });

  it('prints nothing of types that nobody uses', () => {
    const made = emitFunctions(shop, store, widget);
    expect([...made.keys()]).toEqual(['example.com/v1/widgets/functions.ts']);
    expect(textOf('types/shop/v1')).not.toContain('Unused');
  });
});
