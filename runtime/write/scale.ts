/** The verbs of the subresource `scale`: read and write an object as a Scale. */
import type { ApiObject, Failure, Result, ScalePaths } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { notFound } from '../objects/status.js';
import { done } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { readForm } from '../request/representation/negotiate.js';
import type { Representation } from '../request/representation/representation.js';
import { answerFailure, warningHeaders } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { scaleKind } from '../resource/scale-kind.js';
import { keyOf } from '../resource/served-resource.js';
import { prepareToRead, readAs } from '../resource/versions.js';
import { mergeConfiguration, readApplied } from './apply.js';
import { readSent, toWrite } from './begin.js';
import { mergePatch, readPatch } from './patch.js';
import { runUpdate } from './run.js';
import { missingCount, refuseScale, takeScale, toOwnedScale, toScale } from './scale-view.js';
import { isPinned } from './stages/commit.js';
import { lostReplaces, receive } from './update.js';
import type { UpdatePlan, View, Write } from './write.js';

/** Reads the Scale of the object that the path names. */
export async function getScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const { resource, services } = verb;
  const representation = readForm(asScale(verb), 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const unconfirmed = await services.store.confirm();
  if (unconfirmed) return answerFailure(verb, unconfirmed);
  const key = keyOf(resource, verb.namespace, verb.name);
  const entry = services.store.get(key);
  if (!entry) return answerFailure(verb, services.store.damageAt?.(key) ?? missing(verb));
  const unreadable = await prepareToRead(resource, [entry]);
  if (unreadable) return answerFailure(verb, unreadable);
  const object = readAs(resource, entry);
  const countless = missingCount(resource, paths, object);
  const scale = countless ? refused(countless) : toScale(paths, object);
  return scale.ok ? answerScale(verb, representation.value, scale.value) : answerFailure(verb, scale.failure);
}

/** Returns the same request with the kind Scale, for its body and answer. */
const asScale = (verb: VerbRequest): VerbRequest => ({ ...verb, resource: scaleKind() });

/** Returns a 404. For built-in kinds, early releases name the subresource too, and the core group as `autoscaling`. */
function missing({ resource: { module }, name, services: { release } }: VerbRequest) {
  const { group, names, decoding } = module;
  return decoding === 'typed' && !release.does('missingScalesAsObjects')
    ? notFound(group || 'autoscaling', `${names.plural}/scale`, name)
    : notFound(group, names.plural, name);
}

/** Replaces the Scale of the object that the path names. */
export async function updateScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const sent = await readSent(verb, 'UpdateOptions', [scaleKind()]);
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const { representation, write, object } = sent.value;
  const misplaced = receive(write, object);
  if (misplaced) return answerFailure(verb, misplaced);
  return writeScale(verb, representation, write, paths, {
    verb: 'update',
    merge: () => done({ ok: true, value: clone(object) }),
    pinned: isPinned(object),
  });
}

/** Patches the Scale of the object that the path names. */
export async function patchScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const ofScale = asScale(verb);
  const request = await readPatch(verb, scaleKind());
  if (!request.ok) return answerFailure(verb, request.failure);
  const representation = readForm(ofScale, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  return writeScale(verb, representation.value, toWrite(verb, request.value.options), paths, {
    verb: 'patch',
    merge: (scale) => mergePatch(ofScale, request.value, scale),
    pinned: false,
  });
}

/** Applies a Scale to the object that the path names. The object must exist. */
export async function applyScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const sent = await readApplied(verb, scaleKind());
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const { representation, write, configuration } = sent.value;
  return writeScale(verb, representation, write, paths, {
    verb: 'apply',
    merge: (scale) => mergeConfiguration(write, scaleKind(), configuration, scale),
    pinned: false,
  });
}

const refused = (failure: Failure): Result<never> => ({ ok: false, failure });

async function writeScale(
  verb: VerbRequest,
  representation: Representation,
  write: Write,
  paths: ScalePaths,
  plan: Pick<UpdatePlan, 'verb' | 'merge' | 'pinned'>,
): Promise<ApiResponse> {
  const outcome = await runUpdate(write, { ...plan, view: viewOf(write, paths), uid: '', attempts: lostReplaces });
  if (!outcome.ok) return answerFailure(verb, outcome.failure);
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const scale = toScale(paths, outcome.value.object);
  return scale.ok ? answerScale(verb, representation, scale.value) : answerFailure(verb, scale.failure);
}

/** Returns the view of a write's object as a Scale. */
const viewOf = (write: Write, paths: ScalePaths): View => ({
  kind: scaleKind(),
  of: (object) => toOwnedScale(write.resource, paths, object),
  refuse: (object, scale) => refuseScale(write, paths, object, scale),
  into: (object, scale) => takeScale(write.resource, paths, object, scale),
});

function answerScale(verb: VerbRequest, representation: Representation, scale: ApiObject): ApiResponse {
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const { contentType } = representation;
  return { code: 200, contentType, headers: warningHeaders(verb), body: representation.object(scaleKind(), scale) };
}
