/** Rules on the life of a version that need no earlier definitions: its replacement, and how long it stays. */
import type { Stability } from '../../runtime/contract/index.js';
import { compareVersions } from '../../runtime/objects/names/names.js';
import { compareReleases, releasesBetween } from '../../runtime/objects/release.js';
import { get, type Raw, string } from '../../runtime/schema/read.js';
import type { Report } from '../diagnostics/problem.js';
import type { ResourceModel, VersionModel } from '../model/model.js';
import { isLessStable, stageOf } from '../model/stage.js';

/** Codes of breaches of the rules: `check` warns of them, and `lifecycle` refuses them. */
export const lifeCodes: readonly string[] = ['KF4041', 'KF4042'];

/**
 * Minimum number of releases between the deprecation and the removal of a beta version; nine months if that is longer.
 */
export const leastReleases = 3;

const moments = ['introduced', 'deprecated', 'removed'] as const;

/** Checks the life of a version; `stability` is as written. */
export function checkLife(stability: Raw, resource: ResourceModel, index: number, report: Report): void {
  const path = ['spec', 'versions', index, 'stability'];
  let before: { readonly moment: string; readonly release: string } | undefined;
  for (const moment of moments) {
    const release = string(get(stability, moment));
    if (release === undefined || !/^\d+\.\d+$/.test(release)) continue;
    if (before !== undefined && compareReleases(release, before.release) < 0) {
      const message = `${moment} in ${release}, but ${before.moment} in ${before.release}`;
      report({ code: 'KF4022', path: [...path, moment], message });
    }
    before = { moment, release };
  }
  if (get(stability, 'replacement') !== undefined && string(get(stability, 'deprecated')) === undefined) {
    const at = [...path, 'replacement'];
    report({ code: 'KF4017', path: at, at: 'key', message: 'only a deprecated version can have a replacement' });
  }
  const version = resource.versions[index];
  if (version?.stability === undefined) return;
  checkReplacement(version, version.stability, resource, index, report);
  checkRemoval(version.stability, index, report);
}

/** Checks rule 3: a deprecated version must not be replaced by a less stable one. */
function checkReplacement(
  { name }: VersionModel,
  { level, replacement }: Stability,
  { versions, group, names }: ResourceModel,
  index: number,
  report: Report,
): void {
  if (replacement === undefined) return;
  const isOwn = (replacement.group ?? group) === group && (replacement.kind ?? names.kind) === names.kind;
  const own = isOwn ? versions.find((version) => version.name === replacement.version) : undefined;
  const next = stageOf(own ?? { name: replacement.version });
  const isEarlier = isOwn && next === level && level !== 'stable' && compareVersions(replacement.version, name) > 0;
  if (!isLessStable(next, level) && !isEarlier) return;
  const why = isEarlier ? 'which came before it' : `which is less stable: ${next} rather than ${level}`;
  report({
    code: 'KF4041',
    path: ['spec', 'versions', index, 'stability', 'replacement'],
    message: `${name} is deprecated in favour of ${replacement.version}, ${why} (rule 3)`,
    suggestion: `name a version that is ${level === 'stable' ? '' : 'at least '}${level}, or wait until one exists`,
  });
}

/** Checks rule 4a: stable versions stay, and beta versions stay for a while after their deprecation. */
function checkRemoval({ level, introduced, deprecated, removed }: Stability, index: number, report: Report): void {
  if (removed === undefined || level === 'alpha') return;
  const path = ['spec', 'versions', index, 'stability', 'removed'];
  if (level === 'stable') {
    if (isNewMajor(removed, deprecated ?? introduced)) return;
    const message = `a stable version must not be removed within a major release (rule 4a)`;
    report({ code: 'KF4042', path, message, suggestion: 'deprecate it, and leave out `removed`' });
    return;
  }
  const stay = deprecated === undefined ? undefined : releasesBetween(deprecated, removed);
  if (deprecated === undefined || stay === undefined || stay >= leastReleases) return;
  report({
    code: 'KF4042',
    path,
    message: `a beta version that is deprecated in ${deprecated} must stay for ${leastReleases} releases (rule 4a)`,
    suggestion: `write \`removed: "${afterReleases(deprecated, leastReleases)}"\` or later`,
  });
}

/**
 * Returns whether a release has another major version than `since`. Without `since`, it must be the first release of
 * its major version.
 */
export const isNewMajor = (release: string, since: string | undefined): boolean =>
  since === undefined ? release.endsWith('.0') : releasesBetween(since, release) === undefined;

/** Returns the release that comes `count` releases after another. */
export function afterReleases(release: string, count: number): string {
  const [major = '0', minor = '0'] = release.split('.');
  return `${major}.${Number(minor) + count}`;
}
