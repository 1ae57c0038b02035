/** The pages about the server itself: `/statusz` and `/flagz`, as text, or as objects if `as=` asks for them. */

import type { JsonObject } from '../contract/index.js';
import { notAcceptable } from '../objects/failures.js';
import type { Release } from '../objects/release.js';
import { parseAccept } from '../objects/scan/media-types.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { headerOf } from '../request/api-request.js';
import { encoderFor } from '../request/representation/encoders.js';
import { answerFailure } from '../request/responses.js';
import { type OwnPath, plainText } from './documents.js';

/** The facts that the pages show. */
export interface AboutServer {
  readonly release: Release;
  readonly featureEnabled: (gate: string) => boolean;
  /** The served group of the objects, as in `config.platform.io`. */
  readonly group: string;
  readonly productVersion: string;
  /** The flags that the server was started with, by name. */
  readonly flags: Readonly<Record<string, string>>;
  /** Returns the paths that the server lists, sorted. */
  readonly paths: () => readonly string[];
  readonly now: () => number;
}

interface Page {
  readonly path: 'statusz' | 'flagz';
  readonly gate: string;
  readonly kind: string;
  readonly fields: () => JsonObject;
}

/** Returns the pages that are on. */
export function aboutPages(about: AboutServer): readonly OwnPath[] {
  const started = about.now();
  const pages: readonly Page[] = [
    { path: 'statusz', gate: 'ComponentStatusz', kind: 'Statusz', fields: () => status(about, started) },
    { path: 'flagz', gate: 'ComponentFlagz', kind: 'Flagz', fields: () => ({ flags: { ...about.flags } }) },
  ];
  return pages
    .filter(({ gate }) => about.featureEnabled(gate))
    .map((page) => ({ path: `/${page.path}`, answer: (request) => answerPage(about, page, request) }));
}

function status({ release, productVersion, paths, now }: AboutServer, started: number): JsonObject {
  return {
    startTime: new Date(started).toISOString().replace(/\.\d+/, ''),
    uptimeSeconds: Math.floor((now() - started) / 1000),
    goVersion: '',
    binaryVersion: productVersion,
    emulationVersion: release.name,
    paths: [...paths()],
  };
}

const text = 'text/plain';
const objectTypes = ['application/json', 'application/yaml'];

/** Answers with a page. Refuses clients that name no format: a wildcard is not enough. */
function answerPage({ release, group }: AboutServer, page: Page, request: ApiRequest): ApiResponse {
  const structured = release.does('structuredServerPages');
  for (const { type, parameters } of parseAccept(headerOf(request, 'accept') ?? '')) {
    const isPlain = !parameters.has('as') && !parameters.has('g') && !parameters.has('v');
    if (type === text && isPlain) return plainText(200, asText(page));
    const version = parameters.get('v') ?? '';
    const isOwn = parameters.get('as') === page.kind && parameters.get('g') === group;
    if (!structured || !isOwn || !objectTypes.includes(type) || !Object.hasOwn(versions, version)) continue;
    const encoder = encoderFor(type, parameters.get('pretty') === '1');
    const document = { kind: page.kind, apiVersion: `${group}/${version}`, metadata: { name: 'apiserver' } };
    return {
      code: 200,
      contentType: `${encoder.contentType};g=${group};v=${version};as=${page.kind}`,
      headers: versions[version] ? { warning: `299 - "${outdated(page)}"` } : {},
      body: encoder.encode({ ...document, ...page.fields() }),
    };
  }
  return answerFailure(undefined, notAcceptable(structured ? [...objectTypes, text] : [text]));
}

/** By version: true if it is deprecated. */
const versions: Readonly<Record<string, boolean>> = { v1alpha1: true, v1beta1: false };

const outdated = ({ path }: Page): string =>
  `This version of the ${path} endpoint is deprecated. Please use a newer version.`;

function asText({ path, fields }: Page): string {
  const { flags, ...others } = fields();
  const shown = typeof flags === 'object' && flags !== null && !Array.isArray(flags) ? flags : others;
  const lines = Object.entries(shown).map(([name, value]) => `${name}: ${String(value)}`);
  return [`apiserver ${path}`, 'For people only: the format may change.', '', ...lines, ''].join('\n');
}
