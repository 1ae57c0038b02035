/** The rules that every strategy keeps, run on each of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../generated/registry.js';
import type {
  ApiObject,
  FieldError,
  JsonObject,
  ResourceModule,
  Strategy,
  StrategyContext,
} from '../../runtime/contract/index.js';
import { codeOf, loadAll } from '../../runtime/pipeline/resource/resource-code.js';
import { arbitraryObject, copy, deepFreeze } from './arbitrary-objects.js';
import { typedObject } from './arbitrary-typed-objects.js';
import { functionsOf } from './compiled.js';

await loadAll(registry);

/** A strategy, and the facts that the suite needs of it. */
export interface StrategyExample {
  readonly strategy: Strategy;
  /** An object as it is stored: nothing about it is wrong. */
  readonly stored: ApiObject;
  /** The kind's module, where it is not a built-in kind. The suite makes objects of its schema. */
  readonly module?: ResourceModule;
  /** Names of fields that the strategy reads, for kinds without a module: the suite makes arbitrary objects of them. */
  readonly words?: readonly string[];
  /** Subresources of the kind. */
  readonly subresources?: readonly string[];
  /** Columns of its tables. */
  readonly columns: readonly string[];
}

/** A context for hooks. */
export const contextOf = (more: Partial<StrategyContext> = {}): StrategyContext => ({
  user: { name: 'someone', uid: 'u-1', groups: ['some'], extra: {} },
  subresource: '',
  now: '2024-05-06T07:08:09Z',
  featureEnabled: () => true,
  ...more,
});

/** The stored version of a built-in kind. */
const builtInModule = (kind: string): ResourceModule | undefined =>
  registry.find(({ group, names, storage }) => storage && kindName(group, names.kind) === kind);

/** Objects of a kind as its strategy gets them: decoded, but not validated. */
function decodedObjects(module: ResourceModule | undefined): fc.Arbitrary<ApiObject> | undefined {
  return module && typedObject(codeOf(module).schema).map((object) => decoded(copy(object), module));
}

const kindName = (group: string, kind: string): string => (group === '' ? kind : `${group}/${kind}`);

function decoded(object: JsonObject, module: ResourceModule): ApiObject {
  const { group, version, names } = module;
  const wrong = functionsOf(codeOf(module).schema, { decoding: 'typed', kind: names.kind, version }).normalize?.(
    object,
  );
  if (wrong) throw new Error(`a made-up ${names.kind} does not decode: ${JSON.stringify(wrong)}`);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { metadata: {}, ...object, apiVersion, kind: names.kind };
}

/** Runs the suite. */
export function testStrategy(example: StrategyExample): void {
  const { strategy, stored, words = [], subresources = [], columns, module = builtInModule(strategy.kind) } = example;
  const contexts = ['', ...subresources].map((subresource) => contextOf({ subresource }));
  const objects = decodedObjects(module) ?? arbitraryObject([...words, 'spec', 'status']);

  describe('as every strategy', () => {
    it('names a kind', () => {
      expect(strategy.kind).toMatch(/^([a-z.0-9]+\/)?[A-Z][A-Za-z]+$/);
    });

    it('finds nothing wrong with an object that is stored', () => {
      for (const context of contexts) {
        expect(strategy.validate?.(copy(stored), context) ?? []).toEqual([]);
        expect(strategy.validateUpdate?.(copy(stored), copy(stored), context) ?? []).toEqual([]);
      }
      expect(strategy.validateName?.(stored.metadata.name ?? '') ?? []).toEqual([]);
    });

    it('keeps a change of nothing a change of nothing', () => {
      for (const context of contexts) {
        const object = copy(stored);
        strategy.canonicalize?.(object);
        strategy.prepareForUpdate?.(object, deepFreeze(copy(stored)), context);
        expect(JSON.parse(JSON.stringify(object))).toEqual(stored);
      }
    });

    it('brings what is canonical into no other form', () => {
      fc.assert(
        fc.property(objects, (object) => {
          strategy.canonicalize?.(object);
          const once = copy(object);
          strategy.canonicalize?.(object);
          expect(object).toEqual(once);
        }),
      );
    });

    it('looks at any object without breaking, and without changing it', () => {
      fc.assert(
        fc.property(objects, objects, fc.constantFrom(...contexts), (object, old, context) => {
          deepFreeze(object);
          deepFreeze(old);
          const errors = [
            ...(strategy.validate?.(object, context) ?? []),
            ...(strategy.validateUpdate?.(object, old, context) ?? []),
          ];
          expect(errors.every(isFieldError)).toBe(true);
          strategy.warnings?.(object, old);
          strategy.mayRemove?.(object);
          strategy.selectableField?.(object, 'source');
          for (const column of columns) expect(typeof strategy.cell?.(object, column, 0)).not.toBe('object');
        }),
      );
    });

    it('prepares any object without breaking, and leaves the stored one alone', () => {
      fc.assert(
        fc.property(objects, objects, fc.constantFrom(...contexts), (object, old, context) => {
          strategy.prepareForCreate?.(copy(object), context);
          strategy.prepareForUpdate?.(copy(object), deepFreeze(old), context);
          strategy.prepareForDelete?.(copy(object), context);
        }),
      );
    });

    it('leaves columns that it does not know to their paths', () => {
      expect(strategy.cell?.(copy(stored), 'No Such Column', 0)).toBeUndefined();
    });
  });
}

const isFieldError = ({ reason, message }: FieldError): boolean => reason.startsWith('FieldValue') && message !== '';
