/** The rules about versions: which may be removed, deprecated, stored and preferred. */
import type { JsonValue } from '../../../runtime/contract/index.js';
import { compareReleases } from '../../../runtime/objects/release.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import { isLessStable, stageOf } from '../../model/stage.js';
import { isDeprecated } from '../compare/compare-versions.js';
import type { Difference } from '../difference.js';
import { breaks, type Definitions, type KeywordRule, type Ruling, safe, warns } from './ruling.js';

const never = (): boolean => false;

/** Rows of the table of rules. */
export const versionRules: Readonly<Record<string, KeywordRule>> = {
  resource: {
    rule: '4a',
    isTried: never,
    judge: (_difference, { old, new: next }) => (next === undefined ? judgeGone(old?.versions ?? []) : safe),
    advice: 'keep the resource; deprecate its versions first',
  },
  versions: {
    rule: '4a',
    isTried: never,
    judge: judgeVersion,
    advice: ({ version }) =>
      `keep ${version} as long as objects may be stored in it; stop serving it once nobody uses it`,
  },
  served: {
    rule: '4a',
    isTried: never,
    judge: ({ new: is }, { oldVersion }) => (is === true ? safe : judgeGone(oldVersion ? [oldVersion] : [])),
    advice: ({ version }) =>
      `keep serving ${version}, deprecated, for 9 months or 3 releases; keep a stable version for ever`,
  },
  storage: {
    rule: '4b',
    isTried: never,
    judge: ({ new: is }, { old }) =>
      has(old, is) ? safe : breaks('the release before cannot read what this one stores', 'stored'),
    advice: ({ new: is }) => `add ${String(is)} in this release, and store objects in it from the next one on`,
  },
  preferred: {
    rule: '4b',
    isTried: never,
    judge: ({ new: is }, { old }) =>
      old?.versions.some(({ name, served }) => served && name === is)
        ? safe
        : warns('clients that accept any version use one that the release before does not serve', 'readers'),
    advice: ({ new: is }) => `expect clients that use ${String(is)} to fail if this release is rolled back`,
  },
  deprecated: {
    rule: '3',
    isTried: never,
    judge: judgeDeprecation,
    advice: 'serve a version that is at least as stable before this one is deprecated',
  },
  stability: {
    rule: '3',
    isTried: never,
    judge: judgeStability,
    advice: 'keep what the version promises',
  },
  removedRelease: {
    rule: '4a',
    isTried: never,
    judge: judgeRemoval,
    advice: 'give users the time that the stage of the version promises',
  },
};

const has = (resource: ResourceModel | undefined, version: JsonValue | undefined): boolean =>
  resource?.versions.some(({ name }) => name === version) === true;

/** Returns the effect on users of versions that are no longer served. The most stable version decides. */
function judgeGone(versions: readonly VersionModel[]): Ruling {
  const served = versions.filter((version) => version.served);
  const kept = served.find((version) => !mayGo(version));
  if (kept !== undefined) return breaks(`${kept.name} is no longer served`, 'writers', 'readers', 'stored');
  const [first] = served;
  return first === undefined ? safe : warns(`${first.name} is no longer served`, 'writers', 'readers');
}

/** Returns whether a version may be removed: alpha in any release, beta once it has been deprecated. */
function mayGo(version: VersionModel): boolean {
  const stage = stageOf(version);
  return stage === 'alpha' || (stage === 'beta' && isDeprecated(version));
}

function judgeVersion({ new: is }: Difference, { oldVersion }: Definitions): Ruling {
  if (is !== undefined || oldVersion === undefined) return safe;
  const gone = judgeGone([oldVersion]);
  if (oldVersion.storage) return breaks('objects are stored in it', ...new Set([...gone.effects, 'stored' as const]));
  return gone.severity === 'safe' ? warns('objects may still be stored in it', 'stored') : gone;
}

/**
 * Returns whether a version may be deprecated: another version is served, is not deprecated itself, and is at least as
 * stable.
 */
function judgeDeprecation({ new: is }: Difference, { new: next, newVersion }: Definitions): Ruling {
  if (is !== true || next === undefined || newVersion === undefined) return safe;
  const stage = stageOf(newVersion);
  const heir = next.versions.find(
    (version) =>
      version.name !== newVersion.name &&
      version.served &&
      !isDeprecated(version) &&
      !isLessStable(stageOf(version), stage),
  );
  return heir === undefined ? warns('no version that is as stable replaces it', 'writers', 'readers') : safe;
}

function judgeStability(_difference: Difference, { oldVersion, newVersion }: Definitions): Ruling {
  if (oldVersion === undefined || newVersion === undefined) return safe;
  const isKept = !isLessStable(stageOf(newVersion), stageOf(oldVersion));
  return isKept ? safe : warns('the version promises less than it did', 'writers', 'readers');
}

function judgeRemoval({ old, new: is }: Difference, { newVersion }: Definitions): Ruling {
  if (typeof is !== 'string' || newVersion === undefined) return safe;
  if (stageOf(newVersion) === 'stable') return warns('a stable version must not be removed', 'writers', 'readers');
  const isSooner = typeof old === 'string' && compareReleases(is, old) < 0;
  return isSooner ? warns('the version is removed sooner than announced', 'writers', 'readers') : safe;
}
