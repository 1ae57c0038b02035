/** The subresources of a version: `status`, `scale`, and in native definitions any others. */
import type { KindReference, QueryParameter, ScalePaths, Subresource, Verb } from '../../runtime/contract/index.js';
import { compact, oneOf } from '../../runtime/schema/read.js';
import type { Version, Subresource as WrittenSubresource } from '../load/definition-format.js';
import type { Part } from './part.js';

const READ_AND_WRITE: readonly Verb[] = ['get', 'patch', 'update'];

/** The paths of a scale, as both formats have them. */
export type WrittenScale = Pick<WrittenSubresource, 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath'>;

/** Reads the subresources of a CustomResourceDefinition. A write to one does not change metadata. */
export function readCustomSubresources(
  written: Part<{ status?: object; scale?: WrittenScale }>,
): readonly Subresource[] {
  const subresources: Subresource[] = [];
  if (written.part('status').isWritten) {
    subresources.push({ name: 'status', verbs: READ_AND_WRITE, writes: ['status'], writesMetadata: false });
  }
  const scale = written.part('scale');
  if (scale.isWritten) subresources.push(scaleOf(scale));
  return subresources;
}

/** Reads the subresources of a native definition's version, in the order of the text. */
export function readNativeSubresources(version: Part<Version>): readonly Subresource[] {
  return version.entries('subresources').map(([name, each]) => readNative(name, each));
}

function readNative(name: string, written: Part<WrittenSubresource>): Subresource {
  const usual = name === 'scale' ? scaleOf(written) : name === 'status' ? STATUS : { ...OTHER, name };
  const query = written.part('query').isWritten ? written.entries('query') : undefined;
  return compact<Subresource>({
    ...usual,
    verbs: written.get('verbs') === undefined ? usual.verbs : knownVerbs(written.strings('verbs')),
    kind: readKindReference(written.part('kind')),
    connects: written.boolean('connects') || undefined,
    proxy: written.boolean('proxy') || undefined,
    query: query?.map(([key, each]) => readParameter(key, each)),
    writes: written.optionalStrings('writes') ?? usual.writes,
    writesMetadata: written.boolean('writesMetadata') ?? usual.writesMetadata,
    ...(written.boolean('shared') ? { shared: true } : {}),
    ...(written.boolean('atCreate') ? { atCreate: true } : {}),
    untracked: written.optionalStrings('untracked'),
    introduced: written.string('introduced'),
    removed: written.string('removed'),
  });
}

const PARAMETER_TYPES = ['boolean', 'integer', 'string'] as const;

function readParameter(name: string, written: Part<NonNullable<WrittenSubresource['query']>[string]>): QueryParameter {
  const type = written.choice('type', PARAMETER_TYPES) ?? 'string';
  const repeated = written.boolean('repeated') ? ({ repeated: true } as const) : {};
  return { name, type, ...repeated, description: written.string('description') ?? '' };
}

/** Reads the kind of a subresource with its own kind. */
function readKindReference(written: Part<NonNullable<WrittenSubresource['kind']>>): KindReference | undefined {
  const kind = written.string('kind');
  if (kind === undefined) return undefined;
  return { group: written.string('group') ?? '', version: written.string('version') ?? '', kind };
}

const STATUS: Subresource = { name: 'status', verbs: READ_AND_WRITE, writes: ['status'], writesMetadata: true };
const OTHER: Subresource = { name: '', verbs: READ_AND_WRITE, writes: [], writesMetadata: false };

function scaleOf(written: Part<WrittenScale>): Subresource {
  const scale = compact<ScalePaths>({
    specReplicasPath: written.string('specReplicasPath') ?? '',
    statusReplicasPath: written.string('statusReplicasPath') ?? '',
    labelSelectorPath: written.string('labelSelectorPath'),
  });
  const replicas = scale.specReplicasPath.replace(/^\./, '');
  return { name: 'scale', verbs: READ_AND_WRITE, writes: [replicas], writesMetadata: false, scale };
}

/** Every verb, in the order of discovery documents. */
export const VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

const readVerb = oneOf(VERBS);

/** Returns the verbs of a list, without unknown words. */
export function knownVerbs(words: readonly string[]): readonly Verb[] {
  return words.flatMap((each) => readVerb(each) ?? []);
}
