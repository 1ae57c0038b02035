/** The index of a group version exports every kind with its parts, each under a name of its own. */
import { describe, expect, it } from 'vitest';
import { customResource, emit, modelOf, typeErrors } from './emitting.js';

const withSpec = (kind: string, plural: string, field: string): object =>
  customResource({ kind, plural, spec: { type: 'object', properties: { [field]: { type: 'string' } } } });

describe('kinds with the same identifier', () => {
  const files = emit(
    modelOf(
      withSpec('Foo-Bar', 'foo-bars', 'a'),
      withSpec('FooBar', 'foobars', 'b'),
      withSpec('FooBar2', 'foobar2s', 'c'),
      withSpec('FooBarSpec', 'foobarspecs', 'd'),
    ),
  );

  it('are all exported: the first has the name, the next one a number', () => {
    const index = files.get('example.com/v1/index.ts');
    expect(index).toContain("export { fooBars } from './foo-bars/resource.js';");
    expect(index).toContain("export { fooBars as fooBars2 } from './foobars/resource.js';");
    expect(index?.match(/FooBar as FooBar\d/g)).toEqual(['FooBar as FooBar3']);
    expect(index?.match(/export type \{[^}]*\bFooBar2,[^}]*\} from '.\/foobar2s/)).not.toBeNull();
  });

  it('have types that are used side by side', () => {
    const use = `
      import { createClient, type exampleV1 } from './index.js';
      export const specs: [exampleV1.FooBar['spec'], exampleV1.FooBar3['spec'], exampleV1.FooBar2['spec']] =
        [{ a: '' }, { b: '' }, { c: '' }];
      export const ofKind: exampleV1.FooBarSpec['spec'] = { d: '' };
      export const ofPart: exampleV1.FooBarSpec2 = { a: '' };
      const { v1 } = createClient({ baseUrl: 'http://localhost' }).example;
      export const both: [Promise<exampleV1.FooBar>, Promise<exampleV1.FooBar3>] =
        [v1.fooBars.in('a').get('b'), v1.fooBars2.in('a').get('b')];
    `;
    expect(typeErrors(new Map([...files, ['use.ts', use]]), true)).toEqual([]);
    const wrong = use.replace("{ b: '' }", "{ a: '' }");
    expect(typeErrors(new Map([...files, ['use.ts', wrong]]))).toHaveLength(1);
  });
});
