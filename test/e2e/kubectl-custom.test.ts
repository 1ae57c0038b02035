/**
 * The real kubectl and a kind of a CustomResourceDefinition: names, columns, descriptions and defaults reach kubectl.
 */
import { describe, expect, it } from 'vitest';
import { hasKubectl, kubectlForTests, printed, type Ran } from '../support/kubectl.js';
import { scratchFolder } from '../support/scratch-folder.js';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gizmos.shop.example.com }
spec:
  group: shop.example.com
  names: { plural: gizmos, kind: Gizmo, shortNames: [gz], categories: [all] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      additionalPrinterColumns:
        - { name: Size, type: string, jsonPath: .spec.size }
        - { name: Note, type: string, jsonPath: .spec.note, priority: 1 }
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              description: What it is to be.
              required: [size]
              properties:
                size: { type: string, enum: [small, large] }
                count: { type: integer, minimum: 0, default: 1 }
                note: { type: string }
            status: { type: object, properties: { phase: { type: string } } }
`;

const gizmo = (name: string, spec: string): string => `apiVersion: shop.example.com/v1
kind: Gizmo
metadata: {name: ${name}, namespace: default}
spec: {${spec}}
`;

describe.skipIf(!hasKubectl)('kubectl and custom resources (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({ schemas: scratchFolder({ 'gizmos.yaml': definition }) });

  const apply = (text: string, ...flags: string[]): Promise<Ran> => kubectl.pipe(text, 'apply', '-f', '-', ...flags);

  it('finds them by all of their names, and prints their columns', async () => {
    printed(await apply(gizmo('found', 'size: large, note: shiny')));
    for (const name of ['gizmos', 'gizmo', 'gz', 'gizmos.shop.example.com', 'gizmos.v1.shop.example.com'])
      expect(printed(await kubectl.run('get', name))).toMatch(/^NAME\s+SIZE\nfound\s+large$/m);
    // With the API's own Service in the list, names have their kind.
    expect(printed(await kubectl.run('get', 'all'))).toMatch(/^gizmo\.shop\.example\.com\/found\s+large$/m);
    expect(printed(await kubectl.run('get', 'gz', '-o', 'wide'))).toMatch(
      /^NAME\s+SIZE\s+NOTE\nfound\s+large\s+shiny$/m,
    );
  });

  it('explains them', async () => {
    const out = printed(await kubectl.run('explain', 'gizmo.spec'));
    expect(out).toContain('What it is to be.');
    expect(out).toMatch(/size\s+<string> -required-/);
    expect(out).toMatch(/count\s+<integer>/);
  });

  it('applies them on both sides, with their defaults', async () => {
    expect(printed(await apply(gizmo('applied', 'size: small')))).toContain('created');
    expect(printed(await apply(gizmo('applied', 'size: small')))).toContain('unchanged');
    expect(printed(await apply(gizmo('applied', 'size: large')))).toContain('configured');
    printed(await apply(gizmo('applied', 'size: large, note: mine'), '--server-side', '--force-conflicts'));
    const spec = printed(await kubectl.run('get', 'gz', 'applied', '-o', 'jsonpath={.spec}'));
    expect(JSON.parse(spec)).toEqual({ size: 'large', note: 'mine', count: 1 });
  });

  it('reports their errors', async () => {
    const huge = await apply(gizmo('wrong', 'size: huge'));
    expect(huge.err).toContain('spec.size: Unsupported value: "huge": supported values: "small", "large"');
    const text = await kubectl.pipe(
      gizmo('wrong', 'size: small, count: many'),
      'create',
      '--validate=false',
      '-f',
      '-',
    );
    expect(text.err).toContain('spec.count in body must be of type integer: "string"');
    expect((await apply(gizmo('wrong', 'size: small, colour: red'))).err).toMatch(/unknown field "(spec\.)?colour"/);
    expect((await kubectl.run('get', 'gz', 'wrong')).err).toContain('NotFound');
  });

  it('patches them in every way', async () => {
    printed(await apply(gizmo('patched', 'size: small')));
    printed(await kubectl.run('patch', 'gz', 'patched', '--type=merge', '-p', '{"spec":{"count":5}}'));
    const strategic = await kubectl.run('patch', 'gz', 'patched', '--type=strategic', '-p', '{"spec":{"count":6}}');
    expect(strategic.err).toContain(
      'accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
    expect(printed(await kubectl.run('get', 'gz', 'patched', '-o', 'jsonpath={.spec.count}'))).toBe('5');
  });
});
