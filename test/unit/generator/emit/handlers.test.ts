/** Printed handlers: typed by their kind, and printed once for it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { customResource, emit, modelOf, nativeResource, typeErrors } from './emitting.js';

const spec = { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } };
const column = (name: string) => ({ name, type: 'string', jsonPath: '.spec.color' });
const version = (name: string, more: object) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  ...more,
});
const widgets = {
  apiVersion: 'kindforge.dev/v1',
  kind: 'ResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      version('v1beta1', { additionalPrinterColumns: [column('Old')] }),
      version('v1', {
        additionalPrinterColumns: [column('Color'), column("Owner's")],
        selectableFields: [{ jsonPath: '.spec.color' }],
      }),
    ],
  },
};
const bare = nativeResource('Bare', 'example.com', { type: 'object', properties: { spec } });
const files = emit(modelOf(widgets, bare));
const printed = (path: string): string => files.get(`example.com/${path}/handlers.ts`) ?? '';

/** Returns the errors of the compiler for handlers of a kind. */
function errorsOf(name: string, handlers: string): readonly string[] {
  const plural = `${name.toLowerCase()}s`;
  const use = `import { define${name}Handlers } from './example.com/v1/${plural}/handlers.js';
export const handlers = define${name}Handlers(${handlers});
`;
  return typeErrors(new Map([...files, ['use.ts', use]]));
}

describe('the printed file', () => {
  it('is beside the stored version only, and knows the columns and fields of all versions', () => {
    expect(printed('v1beta1/widgets')).toBe('');
    expect(printed('v1/widgets')).toContain(`type WidgetColumn = 'Old' | 'Color' | "Owner's";`);
    expect(printed('v1/widgets')).toContain(`type WidgetField = 'spec.color';`);
    expect(printed('v1/widgets')).toContain('HandlersOf<Widget, WidgetColumn, WidgetField>');
  });

  it('has nothing for features that a kind does not use', () => {
    expect(printed('v1/bares')).toContain('(handlers: HandlersOf<Bare>): KindHandlers {');
    expect(printed('v1/bares').split('\n').length).toBeLessThan(20);
  });

  it('mounts the verbs of the kind, and no others', () => {
    const review = {
      ...bare,
      metadata: { name: 'reviews.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Review', plural: 'reviews' },
        scope: 'Cluster',
        virtual: true,
        versions: [{ ...version('v1', {}), storage: false }],
      },
    };
    const text = emit(modelOf(review)).get('example.com/v1/reviews/handlers.ts') ?? '';
    expect(text).toContain(
      "reviewHandlers(server: EventServer, options?: EventHandlerOptions): Pick<EventHandlers, 'create'> {",
    );
    expect(text).not.toContain('define');
  });

  it('is printed for CustomResourceDefinitions, too', () => {
    const text = emit(modelOf(customResource({ kind: 'Gadget' }))).get('example.com/v1/gadgets/handlers.ts');
    expect(text).toContain('export function defineGadgetHandlers');
  });
});

describe('handlers', () => {
  let right: readonly string[];
  beforeAll(() => {
    right = errorsOf(
      'Widget',
      `{
  canonicalize({ spec }) {
    if (spec) spec.size ??= 1;
  },
  validate: ({ spec }) =>
    (spec?.size ?? 1) > 0 ? [] : [{ reason: 'FieldValueInvalid', field: 'spec.size', message: 'is too small' }],
  columns: { Color: ({ spec }, now) => \`\${spec?.color} \${now}\`, Old: () => 1 },
  selectableFields: { 'spec.color': ({ spec }) => spec?.color },
}`,
    );
  });

  it('compile if they fit their kind', () => {
    expect(right).toEqual([]);
  });

  it.each([
    ['a column that there is not', 'Widget', '{ columns: { Colour: () => 1 } }', "'Colour' does not exist"],
    ['a column of a kind without columns', 'Bare', '{ columns: { Color: () => 1 } }', "not assignable to type 'never'"],
    [
      'a selectable field that there is not',
      'Widget',
      "{ selectableFields: { 'spec.size': () => '' } }",
      "'spec.size'",
    ],
    ['a field of the object that there is not', 'Widget', '{ warn: ({ spec }) => [String(spec?.colour)] }', "'colour'"],
    ['a value of another type', 'Widget', "{ canonicalize: ({ spec }) => void (spec!.size = 'a') }", "'string'"],
    ['a handler that there is not', 'Widget', '{ warnings: () => [] }', "'warnings' does not exist"],
    ['an answer of another type', 'Widget', '{ validate: () => true }', "'boolean'"],
  ])('do not compile with %s', (_what, kind, handlers, message) => {
    const errors = errorsOf(kind, handlers);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(message);
  });
});
