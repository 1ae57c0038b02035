/** Prints what a server has to be told of a conversion webhook. */
import { analyseFolder } from '../../../generator/check/load-definitions.js';
import { toCustomResource } from '../../../generator/export/custom-resource.js';
import { printDefinition } from '../../../generator/import/index.js';
import { folderOfTexts } from '../../../generator/load/load-folder.js';
import type { ResourceModel } from '../../../generator/model/model.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';

/** How a server reaches the webhook. */
export type WebhookPlace =
  | { readonly url: string }
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } };

export interface PrintOptions {
  readonly place: WebhookPlace;
  /** In PEM; absent where everybody trusts the certificate. */
  readonly authority: string | undefined;
  readonly naming: Naming;
  readonly path: string;
  /** `crd`: whole definitions. `patch`: a merge patch of each one's conversion. */
  readonly what: 'crd' | 'patch';
}

export interface Printed {
  readonly text: string;
  /** The parts that a CustomResourceDefinition cannot say. */
  readonly warnings: readonly string[];
}

/** One YAML document for each resource. */
export function printForServer(resources: readonly ResourceModel[], options: PrintOptions): Printed {
  const { naming, what } = options;
  const conversion = conversionOf(options);
  const apiVersion = `${naming.rename('apiextensions.platform.io')}/v1`;
  const warnings: string[] = [];
  const documents: JsonObject[] = [];
  for (const resource of resources) {
    const exported = toCustomResource(resource, { apiVersion, conversion });
    if (!exported.ok) {
      warnings.push(`${exported.problem}, which no CustomResourceDefinition can say`);
      continue;
    }
    const { definition, leftOut } = exported;
    if (what === 'patch') {
      const { kind, metadata } = definition;
      documents.push({ apiVersion, kind, metadata, spec: { conversion } });
      continue;
    }
    documents.push(definition);
    warnings.push(...mistakesIn(definition).map((mistake) => `servers refuse ${definition.metadata.name}: ${mistake}`));
    for (const each of leftOut) warnings.push(`${resource.names.plural}.${resource.group}: ${each} is left out`);
  }
  return { text: documents.map(printDefinition).join('---\n'), warnings };
}

/** Rules of CustomResourceDefinitions that a native definition need not follow. */
function mistakesIn(definition: JsonObject): readonly string[] {
  const { diagnostics } = analyseFolder(folderOfTexts([{ path: 'crd.yaml', text: printDefinition(definition) }]));
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

function conversionOf({ place, authority, path }: PrintOptions): JsonObject {
  const trusted = authority === undefined ? {} : { caBundle: Buffer.from(authority).toString('base64') };
  const clientConfig =
    'url' in place ? { url: place.url, ...trusted } : { service: { ...place.service, path }, ...trusted };
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
}
