/** Judges pods by a policy: a level of pod security in one of its versions. */
import type { Naming } from '../../../runtime/objects/naming.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import type { Check, Control, JudgedPod, Violation } from './control.js';
import { capabilityControls } from './controls/capabilities.js';
import { hostControls } from './controls/host.js';
import { kernelControls } from './controls/kernel.js';
import { privilegeControls } from './controls/privileges.js';
import { seccompControls } from './controls/seccomp.js';
import { userControls } from './controls/users.js';
import { volumeControls } from './controls/volumes.js';
import { type Level, newestVersion, type Policy, type Version } from './level.js';

/** All controls, those of the baseline level first, in the order of their names, as messages have them. */
export const controls: readonly Control[] = [
  ...capabilityControls,
  ...hostControls,
  ...kernelControls,
  ...privilegeControls,
  ...seccompControls,
  ...userControls,
  ...volumeControls,
].sort((a, b) => byCodePoint(a.level + a.id, b.level + b.id));

/** Judges pods by the names of one naming. */
export type Judge = (policy: Policy, pod: JudgedPod) => readonly Violation[];

export function defineJudge(names: Naming): Judge {
  const known = new Map<string, readonly Check[]>();
  const checksFor = ({ level, version }: Policy): readonly Check[] => {
    const key = `${level} ${Math.min(version, newestVersion)}`;
    const checks = known.get(key) ?? checksOf(level, version);
    known.set(key, checks);
    return checks;
  };
  return (policy, pod) => checksFor(policy).flatMap((check) => check(pod, names) ?? []);
}

/** The checks of a level in a version. A control that is not there yet replaces nothing. */
function checksOf(level: Level, version: Version): readonly Check[] {
  if (level === 'privileged') return [];
  const there = controls.flatMap((control) => {
    if (level === 'baseline' && control.level === 'restricted') return [];
    const found = control.versions.findLast(({ since }) => since <= version);
    return found ? [{ control, check: found.check }] : [];
  });
  const replaced = new Set(there.map(({ control }) => control.replaces));
  return there.filter(({ control }) => !replaced.has(control.id)).map(({ check }) => check);
}

/** As in `host namespaces (hostPID=true), privileged (…)`. */
export const violationsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

/** As in `host namespaces, privileged`. */
export const reasonsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');
