/** The verbs of the subresource `scale`: the object is read and written as a Scale. */
import type { ApiObject, Failure, Result, ScalePaths } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { notFound } from '../objects/status.js';
import { inTurns, type Steps } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { readObjectBody } from '../request/body.js';
import type { Outcome } from '../request/outcome.js';
import { readForm } from '../request/representation/negotiate.js';
import type { Representation } from '../request/representation/representation.js';
import { answerFailure } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { warningHeaders } from '../request/warnings.js';
import { prepareToRead } from '../resource/prepare-to-read.js';
import { scaleKind } from '../resource/scale-kind.js';
import { keyOf } from '../resource/served-resource.js';
import { readAs } from '../resource/versions.js';
import { planOf, readConfiguration } from './apply.js';
import { decodeObject } from './decode-object.js';
import { patched, readPatch } from './patch.js';
import { mergeConfiguration } from './run-apply.js';
import { draftOf, runUpdate } from './run-update.js';
import { missingCount, refuseScale, takeScale, toOwnedScale, toScale } from './scale-view.js';
import { ownershipInSteps } from './stages/ownership/ownership.js';
import { isPinned } from './stages/revision.js';
import { checkNameAgrees, placeInNamespace } from './stages/system-fields.js';
import type { Write } from './write.js';
import { readWriteOptions } from './write-options.js';
import { toWrite } from './write-request.js';

/** A write starts again this often when others keep being faster. */
const lostRaces = 64;

/** The same request of the kind Scale, which bodies and answers are of. */
const asScale = (verb: VerbRequest): VerbRequest => ({ ...verb, resource: scaleKind() });

/** Reads the Scale of the object that the path names. */
export async function getScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const { resource, services } = verb;
  const representation = readForm(asScale(verb), 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const unconfirmed = await services.store.confirm();
  if (unconfirmed) return answerFailure(verb, unconfirmed);
  const entry = services.store.get(keyOf(resource, verb.namespace, verb.name));
  if (!entry) return answerFailure(verb, missing(verb));
  const unreadable = await prepareToRead(resource, [entry]);
  if (unreadable) return answerFailure(verb, unreadable);
  const object = readAs(resource, entry);
  const countless = missingCount(resource, paths, object);
  const scale = countless ? refused(countless) : toScale(paths, object);
  return scale.ok ? answerScale(verb, representation.value, scale.value) : answerFailure(verb, scale.failure);
}

/** Built-in kinds name the subresource too, and that of the core group by the group of the Scale. */
function missing({ resource: { module }, name }: VerbRequest) {
  const { group, names, decoding } = module;
  return decoding === 'typed'
    ? notFound(group || 'autoscaling', `${names.plural}/scale`, name)
    : notFound(group, names.plural, name);
}

/** Replaces the Scale of the object that the path names. */
export async function updateScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const ofScale = asScale(verb);
  const representation = readForm(ofScale, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const body = await readObjectBody(ofScale);
  if (!body.ok) return answerFailure(verb, body.failure);
  const options = readWriteOptions(verb, 'UpdateOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const sent = await inTurns(decodeObject(ofScale, body.value, options.value.fieldValidation));
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const write = toWrite(verb, options.value);
  const scaleWrite: Write = { ...write, resource: scaleKind() };
  const change = (live: ApiObject): Steps<Result<ApiObject>> => replacementOf(scaleWrite, clone(sent.value), live);
  return writeScale(verb, representation.value, { write, paths, change, pinned: isPinned(sent.value) });
}

/** Patches the Scale of the object that the path names. */
export async function patchScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const ofScale = asScale(verb);
  const request = await readPatch(verb, scaleKind());
  if (!request.ok) return answerFailure(verb, request.failure);
  const representation = readForm(ofScale, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const { options } = request.value;
  const write = toWrite(verb, options);
  const scaleWrite: Write = { ...write, resource: scaleKind() };
  const { patcher: patcherOf } = request.value;
  const change = (live: ApiObject): Steps<Result<ApiObject>> => {
    const patcher = patcherOf();
    return patcher.ok ? patched(ofScale, scaleWrite, patcher.value, options, live) : given(patcher);
  };
  return writeScale(verb, representation.value, { write, paths, change, pinned: false });
}

/** Applies a Scale to the object that the path names, which has to be there. */
export async function applyScale(verb: VerbRequest, paths: ScalePaths): Promise<ApiResponse> {
  const ofScale = asScale(verb);
  const representation = readForm(ofScale, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const bytes = await verb.request.readBody(verb.services.maxBodyBytes);
  if (!bytes.ok) return answerFailure(verb, bytes.failure);
  const options = readWriteOptions(verb, 'ApplyOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const applied = await readConfiguration(ofScale, bytes.value, options.value);
  if (!applied.ok) return answerFailure(verb, applied.failure);
  const write = toWrite(verb, options.value);
  const scaleWrite: Write = { ...write, resource: scaleKind() };
  const plan = planOf(ofScale, applied.value, options.value);
  const change = (live: ApiObject): Steps<Result<ApiObject>> => mergeConfiguration(scaleWrite, plan, live);
  return writeScale(verb, representation.value, { write, paths, change, pinned: false });
}

/** A Scale that takes the place of the present one. */
function* replacementOf(write: Write, scale: ApiObject, live: ApiObject): Steps<Result<ApiObject>> {
  yield* ownershipInSteps(write, scale, live);
  return { ok: true, value: scale };
}

/** Work that is done already. */
// biome-ignore lint/correctness/useYield: there is nothing left to do in turns
function* given<T>(value: T): Steps<T> {
  return value;
}

const refused = (failure: Failure): Result<never> => ({ ok: false, failure });

interface ScaleWrite {
  readonly write: Write;
  readonly paths: ScalePaths;
  /** Makes the wanted Scale of the present one, owners included. */
  readonly change: (scale: ApiObject) => Steps<Result<ApiObject>>;
  readonly pinned: boolean;
}

async function writeScale(
  verb: VerbRequest,
  representation: Representation,
  scaleWrite: ScaleWrite,
): Promise<ApiResponse> {
  const outcome = await runScaleUpdate(scaleWrite);
  if (!outcome.ok) return answerFailure(verb, outcome.failure);
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const scale = toScale(scaleWrite.paths, outcome.value.object);
  return scale.ok ? answerScale(verb, representation, scale.value) : answerFailure(verb, scale.failure);
}

/** The object with the wanted Scale. */
function* scaled({ write, paths, change }: ScaleWrite, object: ApiObject): Steps<Result<ApiObject>> {
  const { resource } = write;
  const present = toOwnedScale(resource, paths, object);
  const scale = present.ok ? yield* change(present.value) : present;
  if (!scale.ok) return scale;
  const failure =
    checkNameAgrees({ object: scale.value, write }) ??
    placeInNamespace({ object: scale.value, write }) ??
    refuseScale(write, paths, object, scale.value) ??
    takeScale(resource, paths, object, scale.value);
  return failure ? refused(failure) : { ok: true, value: object };
}

function runScaleUpdate(scaleWrite: ScaleWrite): Promise<Result<Outcome>> {
  const { write, paths, pinned } = scaleWrite;
  const { resource } = write;
  return runUpdate(write, {
    next: (stored) => scaled(scaleWrite, draftOf(stored)),
    view: {
      of: (object) => toOwnedScale(resource, paths, object),
      into: (object, scale) => takeScale(resource, paths, object, scale),
    },
    uid: '',
    pinned,
    attempts: lostRaces,
  });
}

function answerScale(verb: VerbRequest, representation: Representation, scale: ApiObject): ApiResponse {
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const { contentType } = representation;
  return { code: 200, contentType, headers: warningHeaders(verb), body: representation.object(scaleKind(), scale) };
}
