/** `kindforge apply`: applies objects in files to a server, by server-side apply. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DiscoveredResource, type Discovery, discover, isNotFound } from '../../client/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { readDocuments, type SourceDocument } from './documents.js';
import { Refusal } from './failure.js';
import type { Printing } from './printing.js';
import { pathOf, type Sender, senderOf } from './requests.js';
import { fullName } from './resources.js';
import type { Target } from './target.js';

export interface ApplyRequest {
  readonly files: readonly string[];
  readonly fieldManager: string;
  readonly forceConflicts?: boolean;
  readonly dryRun?: boolean;
}

/** Reports an object that could not be applied. */
export type OnFailure = (document: SourceDocument, error: unknown) => void;

/** How long to wait until the server serves the kind of an applied definition, and between checks; milliseconds. */
const servedWithin = 10_000;
const lookEvery = 100;

/**
 * Resolves to whether all objects were applied. After a refused object, goes on with the others. Rejects with a
 * `Refusal`.
 */
export async function runApply(
  target: Target,
  request: ApplyRequest,
  printing: Printing,
  onFailure: OnFailure,
): Promise<boolean> {
  const documents = await readDocuments(request.files);
  const send = senderOf(target.client, (warning) => printing.error(`warning: ${warning}`));
  const kinds = await kindFinder(target);
  let failures = 0;
  for (const document of documents) {
    try {
      const resource = await kinds(document);
      printing.out(
        await applyOne(send, resource, target, document, request).catch((error) => {
          throw isUnservedVersion(error) ? kinds.unknown(document) : error;
        }),
      );
      if (document.kind === 'CustomResourceDefinition') kinds.expectMore();
    } catch (error) {
      failures++;
      onFailure(document, error);
    }
  }
  return failures === 0;
}

async function applyOne(
  send: Sender,
  resource: DiscoveredResource,
  target: Target,
  { body, name, namespace = target.namespace }: SourceDocument,
  { fieldManager, forceConflicts, dryRun }: ApplyRequest,
): Promise<string> {
  const response = await send.open({
    method: 'PATCH',
    path: pathOf(resource, namespace, name),
    query: {
      fieldManager,
      force: forceConflicts ? 'true' : undefined,
      dryRun: dryRun ? 'All' : undefined,
      fieldValidation: 'Strict',
    },
    contentType: 'application/apply-patch+yaml',
    body,
  });
  await response.text();
  const done = response.status === 201 ? 'created' : 'applied';
  return `${fullName(resource)}/${name} ${dryRun ? `would be ${done} (dry run)` : done}`;
}

interface KindFinder {
  (document: SourceDocument): Promise<DiscoveredResource>;
  /** Makes it wait for unknown kinds, because a definition was applied. */
  expectMore(): void;
  /** Returns the refusal of a document with a kind that the server does not serve in this version. */
  unknown(document: SourceDocument): Refusal;
}

/** Finds the resource of a document by its kind. Asks the server again if a definition was applied before. */
async function kindFinder(target: Target): Promise<KindFinder> {
  let discovery = await discover(target.client);
  let until = 0;
  const find = async (document: SourceDocument): Promise<DiscoveredResource> => {
    for (;;) {
      const found = resourceOf(document, discovery);
      if (found) return found;
      if (Date.now() > until) throw unknownKind(document, discovery);
      await sleep(lookEvery);
      discovery = await discover(target.client);
    }
  };
  return Object.assign(find, {
    expectMore: () => {
      until = Date.now() + servedWithin;
    },
    unknown: (document: SourceDocument) => unknownKind(document, discovery),
  });
}

/** Returns whether a server has no such path: a 404 that names neither an object nor a resource. */
const isUnservedVersion = (error: unknown): boolean => isNotFound(error) && error.status.details?.kind === undefined;

/** Finds the kind in the version of the document. */
function resourceOf(
  { kind, group, version }: SourceDocument,
  { resources }: Discovery,
): DiscoveredResource | undefined {
  const found = resources.find((resource) => resource.kind === kind && resource.group === group);
  return found && { ...found, version };
}

function unknownKind({ apiVersion, kind, place }: SourceDocument, { resources }: Discovery): Refusal {
  const elsewhere = resources.filter((resource) => resource.kind === kind);
  const advice =
    elsewhere.length > 0
      ? `${kind} is served as ${elsewhere.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)).join(', ')}`
      : (didYouMean(
          kind,
          resources.map((resource) => resource.kind),
        ) ?? 'kindforge get --list prints what there is');
  return new Refusal(`${place}: the server has no kind ${kind} in ${apiVersion}`, advice);
}
