/**
 * The real kubectl explains kinds of definitions with validation schemas: all fields, each with its type and
 * description.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, kubectlForTests, printed } from '../support/kubectl.js';
import { scratchFolder } from '../support/scratch-folder.js';

/** Returns a definition with every kind of field, and with rules that the published schema keeps or leaves out. */
const definition = (plural: string, kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.explain.example.com }
spec:
  group: explain.example.com
  names: { plural: ${plural}, kind: ${kind} }
  scope: Cluster
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          description: A test of validation.
          type: object
          required: [spec]
          x-kubernetes-validations: [{ rule: 'has(self.spec)' }]
          properties:
            spec:
              description: What it is to be.
              type: object
              anyOf: [{ required: [bars] }, { required: [port] }]
              not: { required: [forbidden] }
              properties:
                bars:
                  description: Its bars, one by one.
                  type: array
                  minItems: 1
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items:
                    type: object
                    required: [name]
                    properties:
                      name: { type: string, description: Name of a bar., pattern: '^[a-z]+$' }
                      age: { type: string, maxLength: 3 }
                      feelings: { type: array, items: { type: string, enum: [great, down] } }
                      deeper: { type: object, properties: { deepest: { type: number, minimum: 0.5 } } }
                port: { x-kubernetes-int-or-string: true, description: Number or name. }
                labels: { type: object, additionalProperties: { type: integer, format: int64 } }
                at: { type: string, format: date-time, nullable: true }
                blob: { type: string, format: byte }
                isOn: { type: boolean, default: true }
                open: { type: object, x-kubernetes-preserve-unknown-fields: true, description: Anything goes. }
                template: { type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true }
                '$ref': { type: string, description: A field with an odd name. }
            status: { type: object, properties: { phase: { type: string } } }
`;

const outputs = ['plaintext', 'plaintext-openapiv2'] as const;

describe.skipIf(!hasKubectl)('kubectl explain of definitions (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({ schemas: scratchFolder({ 'filed.yaml': definition('filed', 'Filed') }) });
  beforeAll(async () => {
    printed(await kubectl.pipe(definition('posted', 'Posted'), 'create', '-f', '-'));
    printed(await kubectl.run('wait', '--for=condition=Established', 'crd/posted.explain.example.com'));
  });

  const explain = async (...args: string[]): Promise<string> => printed(await kubectl.run('explain', ...args));
  const kinds = outputs.flatMap((output) => ['filed', 'posted'].map((plural) => [plural, output] as const));

  it.each(kinds)('%s by %s has the description and the fields of the kind', async (plural, output) => {
    const whole = await explain(plural, '--output', output);
    expect(whole).toContain('A test of validation.');
    expect(whole).toMatch(/^\s+spec\s+<Object> -required-$/m);
    for (const field of ['apiVersion', 'kind', 'metadata', 'status'])
      expect(whole).toMatch(new RegExp(`^\\s+${field}\\s+<`, 'm'));
    expect(await explain(`${plural}.metadata.labels`, '--output', output)).toMatch(/labels <map\[string\]string>/);
  });

  it.each(kinds)('%s by %s has each field with its type', async (plural, output) => {
    const spec = await explain(`${plural}.spec`, '--output', output);
    expect(spec).toContain('What it is to be.');
    for (const [field, type] of [
      ['bars', '\\[\\]Object'],
      // A field with several types or without a type has no type in the older form.
      ['port', '(Object)?'],
      ['labels', 'map\\[string\\]integer'],
      ['at', '(string)?'],
      ['blob', 'string'],
      ['isOn', 'boolean'],
      ['open', '(Object)?'],
      ['template', '(Object)?'],
      ['\\$ref', 'string'],
    ])
      expect(spec, field).toMatch(new RegExp(`^\\s+${field}\\s+<${type}>`, 'm'));
    const bars = await explain(`${plural}.spec.bars`, '--output', output);
    expect(bars).toContain('Its bars, one by one.');
    expect(bars).toMatch(/^\s+name\s+<string> -required-\n\s+Name of a bar\.$/m);
    expect(await explain(`${plural}.spec.bars.deeper.deepest`, '--output', output)).toMatch(/deepest <number>/);
  });

  it.each(kinds)('%s by %s has all fields at once', async (plural, output) => {
    const all = await explain(plural, '--recursive', '--output', output);
    for (const field of ['ownerReferences', 'bars', 'feelings', 'deeper', 'deepest', 'template', 'phase'])
      expect(all, field).toMatch(new RegExp(`^\\s+${field}\\s+<`, 'm'));
    const deep = (field: string): number =>
      /^\s*/.exec(all.split('\n').find((line) => line.trim().startsWith(`${field}\t`)) ?? '')?.[0].length ?? 0;
    expect(deep('deepest')).toBeGreaterThan(deep('deeper'));
  });

  it.each(kinds)('%s by %s has no other fields', async (plural, output) => {
    for (const path of ['colour', 'spec.bars.colour', 'spec.bars.deeper.colour'])
      expect((await kubectl.run('explain', `${plural}.${path}`, '--output', output)).err, path).toMatch(
        /does not exist|not found/,
      );
  });

  it.each(outputs)('prints the same for a definition in a file and a posted definition: %s', async (output) => {
    const of = async (plural: string): Promise<string> =>
      (await explain(plural, '--recursive', '--output', output)).replace(/Filed|Posted/g, 'Kind');
    expect(await of('posted')).toBe(await of('filed'));
  });
});
