/** Tests of the rules that the handlers of every kind keep. They run on each kind. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../generated/registry.js';
import type {
  ApiObject,
  FieldError,
  HandlerContext,
  JsonObject,
  KindHandlers,
  ResourceModule,
} from '../../runtime/contract/index.js';
import { codeOf, loadAll } from '../../runtime/resource/served-resource.js';
import { copy, deepFreeze } from './arbitrary-objects.js';
import { typedObject } from './arbitrary-typed-objects.js';
import { functionsOf } from './compiled.js';
import { effort } from './effort.js';

await loadAll(registry);

/** Random objects of each kind for each rule. */
const numRuns = effort('KINDFORGE_KIND_OBJECTS', 25, 100);

/** The handlers of a kind, and the facts that the suite needs of it. */
export interface HandlersExample {
  readonly handlers: KindHandlers;
  /** A valid object, as the server stores it. */
  readonly stored: ApiObject;
  /** The kind's module, if the registry does not have it. The suite makes objects of the module's schema. */
  readonly module?: ResourceModule;
}

export const contextOf = (more: Partial<HandlerContext> = {}): HandlerContext => ({
  user: { name: 'someone', uid: 'u-1', groups: ['some'], extra: {} },
  subresource: '',
  now: '2024-05-06T07:08:09Z',
  featureEnabled: () => true,
  warn() {},
  ...more,
});

/** Makes objects of a kind as its handlers get them: decoded, but not validated. */
const decodedObjects = (module: ResourceModule): fc.Arbitrary<ApiObject> =>
  typedObject(codeOf(module).schema).map((object) => decoded(copy(object), module));

function decoded(object: JsonObject, module: ResourceModule): ApiObject {
  const { group, version, names } = module;
  const wrong = functionsOf(codeOf(module).schema, { decoding: 'typed', kind: names.kind, version }).normalize?.(
    object,
  );
  if (wrong) throw new Error(`an arbitrary ${names.kind} does not decode: ${JSON.stringify(wrong)}`);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { metadata: {}, ...object, apiVersion, kind: names.kind };
}

/** Runs the suite. */
export function testHandlers(example: HandlersExample): void {
  const { handlers, stored, module = handlers.resource } = example;
  const contexts = ['', ...module.subresources].map((each) =>
    contextOf({ subresource: typeof each === 'string' ? each : each.name }),
  );
  const columns = Object.keys(handlers.columns ?? {});
  const objects = decodedObjects(module);

  describe('as handlers of any kind', () => {
    it('finds no errors in a stored object', () => {
      for (const context of contexts) {
        expect(handlers.validate?.(copy(stored), context) ?? []).toEqual([]);
        expect(handlers.validateUpdate?.(copy(stored), copy(stored), context) ?? []).toEqual([]);
      }
      expect(handlers.validateName?.(stored.metadata.name ?? '', false) ?? []).toEqual([]);
    });

    it('adds no changes to an update without changes', () => {
      for (const context of contexts) {
        const object = copy(stored);
        handlers.canonicalize?.(object);
        handlers.prepareForUpdate?.(object, deepFreeze(copy(stored)), context);
        expect(JSON.parse(JSON.stringify(object))).toEqual(stored);
      }
    });

    it('does not change a canonical object', () => {
      fc.assert(
        fc.property(objects, (object) => {
          handlers.canonicalize?.(object);
          const once = copy(object);
          handlers.canonicalize?.(object);
          expect(object).toEqual(once);
        }),
        { numRuns },
      );
    });

    it('takes any object without throwing, and without changing it', () => {
      fc.assert(
        fc.property(objects, objects, fc.constantFrom(...contexts), (object, old, context) => {
          deepFreeze(object);
          deepFreeze(old);
          const errors = [
            ...(handlers.validate?.(object, context) ?? []),
            ...(handlers.validateUpdate?.(object, old, context) ?? []),
          ];
          expect(errors.every(isFieldError)).toBe(true);
          handlers.warn?.(object, old);
          handlers.mayRemove?.(object);
          handlers.selectableFields?.source?.(object);
          for (const column of columns) expect(typeof handlers.columns?.[column]?.(object, 0)).not.toBe('object');
        }),
        { numRuns },
      );
    });

    it('prepares any object without throwing, and does not change the stored object', () => {
      fc.assert(
        fc.property(objects, objects, fc.constantFrom(...contexts), (object, old, context) => {
          handlers.prepareForCreate?.(copy(object), context);
          handlers.prepareForUpdate?.(copy(object), deepFreeze(old), context);
          handlers.prepareForDelete?.(copy(object), context);
        }),
        { numRuns },
      );
    });

    it('returns no value for a column that it does not know', () =>
      expect(handlers.columns?.['No Such Column']?.(copy(stored), 0)).toBeUndefined());
  });
}

const isFieldError = ({ reason, message }: FieldError): boolean => reason.startsWith('FieldValue') && message !== '';
