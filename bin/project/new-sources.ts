/** The sources of a new project: a definition, a controller, an admission rule, and a test. */
import type { NamingId } from '../../runtime/objects/names/naming.js';
import { withoutTrailing } from '../../runtime/objects/scan/numbers.js';

/** Texts by their paths. */
export type NewFiles = Readonly<Record<string, string>>;

export const sourceFiles = (names: KindNames): NewFiles => ({
  'kindforge.config.ts': configuration(names),
  [`schemas/${names.plural}.yaml`]: definition(names),
  [`src/make-${names.plural}.ts`]: controller(names),
  'src/largest.ts': admission(names),
  [`test/${names.plural}.test.ts`]: test(names),
  [`seed/first-${names.singular}.yaml`]: seed(names),
});

const configuration = ({
  plural,
  naming,
}: KindNames): string => `/** The configuration of the project; every command of kindforge reads it. */
import { defineConfig } from 'kindforge/config';
import { largest } from './src/largest.js';
import { make } from './src/make-${plural}.js';

export default defineConfig({
  // ${namingReasons[naming]}
  naming: '${naming}',
  admissionPlugins: [largest],
  controllers: [make],
});
`;

const namingReasons: Readonly<Record<NamingId, string>> = {
  kubernetes:
    'kubectl and other Kubernetes clients have these names of API groups built in; platform has neutral ones.',
  platform: 'Neutral names of API groups. Most commands of kubectl need the names of Kubernetes.',
};

const definition = ({ group, plural, kind }: KindNames): string => `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: ${plural}.${group} }
spec:
  group: ${group}
  names: { plural: ${plural}, kind: ${kind} }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      additionalPrinterColumns:
        - { name: Wanted, type: integer, jsonPath: .spec.count }
        - { name: Made, type: integer, jsonPath: .status.made }
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              description: The desired state.
              type: object
              required: [size]
              properties:
                size:
                  description: How large each of them is.
                  type: string
                  enum: [small, large]
                count:
                  description: How many are wanted.
                  type: integer
                  format: int32
                  minimum: 0
                  default: 1
            status:
              description: The observed state.
              type: object
              properties:
                made:
                  description: How many have been made.
                  type: integer
                  format: int32
                  minimum: 0
`;

const controller = ({
  group,
  plural,
  kind,
  singular,
}: KindNames): string => `/** Makes the ordered ones, one after the other: a controller brings the actual state towards the desired state. */
import { createResourceClient } from 'kindforge/client';
import { defineController, ignoreNotFound, watch } from 'kindforge/client/node';
import { ${plural} } from '../generated/${group}/v1/${plural}/resource.js';

export const make = defineController({
  name: 'make-${plural}',
  watches: [watch(${plural})],
  /** Brings one ${kind} a step further. Each change that it writes makes the controller call it again. */
  async reconcile(key, { client, cacheOf, signal }) {
    const ${singular} = cacheOf(${plural}).get(key);
    const made = ${singular}?.status?.made ?? 0;
    if (${singular} === undefined || made >= (${singular}.spec.count ?? 1)) return;
    const { name = '', namespace = '', resourceVersion = '' } = ${singular}.metadata;
    const change = { metadata: { resourceVersion }, status: { made: made + 1 } };
    const status = createResourceClient(${plural}, client).in(namespace).subresource('status');
    await status.patch(name, change, { signal }).catch(ignoreNotFound);
  },
});
`;

const admission = ({
  group,
  kind,
}: KindNames): string => `/** An admission rule: it sees each write before it is stored, and may refuse it. */
import { defineAdmissionPlugin, forbiddenObject, forKind } from 'kindforge/contract';
import type { ${kind} } from '../generated/${group}/v1/index.js';

/** The most large ones that can be ordered at once. */
const most = 10;

export const largest = defineAdmissionPlugin({
  name: 'Largest',
  ...forKind<${kind}>(
    { apiVersion: '${group}/v1', kind: '${kind}', operations: ['CREATE', 'UPDATE'] },
    {
      validate({ name, object, resource }) {
        if (object?.spec?.size !== 'large' || Number(object.spec.count ?? 1) <= most) return undefined;
        return forbiddenObject(resource.group, resource.names.plural, name, \`at most \${most} large ones are made at once\`);
      },
    },
  ),
});
`;

const test = ({
  group,
  plural,
  kind,
}: KindNames): string => `/** The project as its users see it: a server with its definitions, its admission rule and its controller. */
import { testServerFixtures, type WithTestServer } from 'kindforge/testing';
import { test as base, expect } from 'vitest';
import { ${plural} } from '../generated/${group}/v1/${plural}/resource.js';

// In this process, with objects in memory, and with what kindforge.config.ts says.
const test = base.extend<WithTestServer>(testServerFixtures({ controllers: ['make-${plural}'] }));

test('makes the ordered number', async ({ server }) => {
  const all${kind}s = server.resource(${plural}).in('default');
  await all${kind}s.create({ metadata: { name: 'first' }, spec: { size: 'small', count: 3 } });
  const first = { resource: ${plural}, namespace: 'default', name: 'first' };
  const { spec } = await server.until(first, ({ status }) => status?.made === 3);
  expect(spec).toMatchObject({ size: 'small', count: 3 });
});

test('refuses more large ones than can be made', async ({ server }) => {
  const all${kind}s = server.resource(${plural}).in('default');
  const tooMany = all${kind}s.create({ metadata: { name: 'many' }, spec: { size: 'large', count: 11 } });
  await expect(tooMany).rejects.toThrow('at most 10 large ones are made at once');
});

test('begins without objects, because the server is reset after each test', async ({ server }) => {
  expect((await server.resource(${plural}).list()).items).toEqual([]);
});
`;

const seed = ({ group, kind }: KindNames): string => `apiVersion: ${group}/v1
kind: ${kind}
metadata:
  name: first
  namespace: default
spec:
  size: small
  count: 3
`;

export interface ProjectNames {
  /** As in `my-shop`: the name of the package. */
  readonly project: string;
  /** As in `shop.example.com`. */
  readonly group: string;
  /** As in `Order`. */
  readonly kind: string;
  /** The names of built-in API groups. */
  readonly naming: NamingId;
}

/** The given names, and the names that follow from the kind. */
export interface KindNames extends ProjectNames {
  /** As in `orders`. */
  readonly plural: string;
  /** As in `order`. */
  readonly singular: string;
  /** The name of the group in generated clients, as in `shop`. */
  readonly groupKey: string;
}

/** Returns the default names of a project; `folder` is the last part of its path. */
export function usualNames(folder: string): ProjectNames {
  const project =
    withoutTrailing(
      folder
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replace(/^[^a-z]+/, ''),
      '-',
    ) || 'my-api';
  return { project, group: `${project}.example.com`, kind: 'Order', naming: 'kubernetes' };
}

/** Returns the rule that a name breaks; `undefined` for a good name. */
export function nameProblem({ project, group, kind }: ProjectNames): string | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(project))
    return `the name ${quoted(project)}: must be the name of a package, as in my-shop`;
  if (!/^[a-z]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(group)) {
    return `the API group ${quoted(group)}: must be a domain name in lower case, as in shop.example.com`;
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind))
    return `the kind ${quoted(kind)}: must be a name in upper camel case, as in Order`;
  return undefined;
}

const quoted = (text: string): string => JSON.stringify(text);

/** Derives the remaining names. */
export function kindNames(names: ProjectNames): KindNames {
  const singular = names.kind.toLowerCase();
  return { ...names, singular, plural: pluralOf(singular), groupKey: names.group.split('.')[0] ?? names.group };
}

function pluralOf(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
