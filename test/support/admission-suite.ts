/** Tests of the rules that every admission plugin keeps. They run on each plugin. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  Failure,
  Operation,
} from '../../runtime/contract/index.js';
import { arbitraryObject, copy, deepFreeze } from './arbitrary-objects.js';

/** A plugin, and the facts that the suite needs of it. */
export interface AdmissionExample {
  readonly plugin: AdmissionPlugin;
  /** A write that the plugin admits, and one that it refuses. */
  readonly admitted: AdmissionAttributes;
  readonly refused: AdmissionAttributes;
  readonly context: AdmissionContext;
  /** Names of fields that the plugin reads. Arbitrary objects use them. */
  readonly words: readonly string[];
}

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Runs both stages of a plugin as the server would, if it handles the write. */
export async function runPlugin(
  plugin: AdmissionPlugin,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  if (!plugin.handles(attributes.resource, attributes.operation, attributes.subresource)) return undefined;
  return (await plugin.admit?.(attributes, context)) ?? (await plugin.validate?.(attributes, context));
}

/** Runs the suite. */
export function testAdmissionPlugin({ plugin, admitted, refused, context, words }: AdmissionExample): void {
  describe('as every admission plugin', () => {
    it('has a name that flags can use', () => expect(plugin.name).toMatch(/^[A-Z][A-Za-z]+$/));
    it('has at least one stage', () => expect(plugin.admit ?? plugin.validate).toBeTypeOf('function'));

    it('reports each time that it handles the same writes', () => {
      for (const operation of operations) {
        const first = plugin.handles(admitted.resource, operation, admitted.subresource);
        expect(plugin.handles(admitted.resource, operation, admitted.subresource)).toBe(first);
      }
    });

    it('admits a good write', async () => {
      expect(plugin.handles(admitted.resource, admitted.operation, admitted.subresource)).toBe(true);
      expect(await runPlugin(plugin, admitted, context)).toBeUndefined();
    });

    it('refuses a bad write with a failure that names the object', async () => {
      const failure = await runPlugin(plugin, refused, context);
      expect(failure?.reason).toMatch(/^(Forbidden|NotFound|Invalid)$/);
      expect(failure?.message).not.toBe('');
      expect(failure?.details?.name).toBeTruthy();
    });

    it('decides the same way for a dry run', async () => {
      expect(await runPlugin(plugin, { ...admitted, dryRun: true }, context)).toBeUndefined();
      expect(await runPlugin(plugin, { ...refused, dryRun: true }, context)).toEqual(
        await runPlugin(plugin, refused, context),
      );
    });

    it('takes any object without throwing, and validates without changing it', async () => {
      const objects = arbitraryObject([...words, 'spec', 'status']);
      await fc.assert(
        fc.asyncProperty(objects, objects, fc.constantFrom(admitted, refused), async (object, oldObject, base) => {
          const attributes = { ...base, object, oldObject };
          await plugin.admit?.({ ...attributes, object: copy(object) }, context);
          deepFreeze(object);
          deepFreeze(oldObject);
          await plugin.validate?.(attributes, context);
        }),
      );
    });
  });
}
