/** Where schemas of kinds come from: a running server, or a folder of definitions. */
import { loadDefinitions } from '../../generator/check/load-definitions.js';
import { emitters, type Model, printDiagnostic } from '../../generator/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { Refusal } from '../objects/refusal.js';
import { senderOf } from '../objects/requests.js';
import { discoverAll, findResource } from '../objects/resources.js';
import type { Target } from '../objects/target.js';
import { fieldsOf, textOf } from '../objects/values.js';
import type { KindName, Schemas } from './schema.js';

/** A kind, and the schemas that its own one refers to. */
export interface KnownKind {
  readonly kind: KindName;
  readonly schemas: Schemas;
}

/** As a server's OpenAPI document has it. `apiVersion` as in `apps/v1`; the preferred one where absent. */
export async function kindOfServer(target: Target, typed: string, apiVersion: string | undefined): Promise<KnownKind> {
  const found = findResource(typed, await discoverAll(target.client));
  const { group, version } = apiVersion === undefined ? found : splitApiVersion(apiVersion);
  const { read } = senderOf(target.client, () => {});
  const paths = fieldsOf(fieldsOf(await read({ method: 'GET', path: '/openapi/v3' })).paths);
  const name = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const url = textOf(fieldsOf(paths[name]).serverRelativeURL);
  if (url === '') throw new Refusal(`the server describes nothing of ${apiVersion ?? name}`);
  return { kind: { group, version, kind: found.kind }, schemas: schemasOf(await read({ method: 'GET', path: url })) };
}

/** As the definitions of a folder have it. Throws a `Refusal` where they have mistakes. */
export function kindOfFolder(folder: string, typed: string, apiVersion: string | undefined): KnownKind {
  const { model, diagnostics } = loadDefinitions(folder);
  const errors = diagnostics.filter(({ severity }) => severity !== 'warning');
  const lower = typed.toLowerCase();
  const words = (one: Model['resources'][number]): readonly string[] => [
    one.names.plural,
    one.names.singular,
    one.names.kind.toLowerCase(),
    ...one.names.shortNames,
  ];
  const found = model.resources.find((resource) => words(resource).includes(lower));
  if (!found) {
    const [first] = errors;
    if (first)
      throw new Refusal(`the definitions in ${folder} have mistakes\n${errors.map(printDiagnostic).join('\n')}`);
    throw new Refusal(
      `${folder} defines no resource ${typed}`,
      didYouMean(typed, model.resources.flatMap(words)) ?? 'Without --schemas, a running server is asked',
    );
  }
  const served = found.versions.filter((version) => version.served);
  const wanted = apiVersion === undefined ? undefined : splitApiVersion(apiVersion).version;
  const version = served.find(({ name }) => wanted === undefined || name === wanted);
  if (!version)
    throw new Refusal(`${typed} has no version ${wanted}`, `it has ${served.map(({ name }) => name).join(', ')}`);
  return {
    kind: { group: found.group, version: version.name, kind: found.names.kind },
    schemas: Object.assign({}, ...documentsOf(model).map(schemasOf)),
  };
}

/** The OpenAPI 3 documents that would be generated. */
function documentsOf(model: Model): readonly unknown[] {
  const files = emitters.find(({ name }) => name === 'openapi')?.emitModel?.(model) ?? [];
  return files
    .filter(({ path }) => path.includes('/v3/'))
    .map(({ content }): unknown =>
      JSON.parse(typeof content === 'string' ? content : new TextDecoder().decode(content)),
    );
}

const schemasOf = (document: unknown): Schemas => fieldsOf(fieldsOf(fieldsOf(document).components).schemas);

function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version };
}
