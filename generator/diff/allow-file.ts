/** Reads the file that allows breaks: which ones, why, and until when. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../runtime/objects/guards.js';
import { lineCounter } from '../../runtime/objects/lines.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { get, list, type Raw } from '../../runtime/schema/read.js';
import { describe } from '../load/find-files.js';
import { parseYaml } from '../load/parse-yaml.js';
import { findOffset, indexPositions } from '../load/positions.js';
import type { Finding } from './finding.js';
import { usualAllowPath } from './released.js';
import { SideError } from './sides/side.js';

/** An entry of the file. */
export interface AllowEntry {
  /** `<plural>.<group>`. */
  readonly resource: string;
  /** Default: all versions. */
  readonly version?: string;
  /** Path of the difference; empty for the object or the definition itself. */
  readonly path: string;
  readonly keyword: string;
  readonly reason: string;
  /** The last day on which it is valid, as `2026-12-31`. */
  readonly expires: string;
  /** From 1. */
  readonly line: number;
}

export interface AllowProblem {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
}

export interface AllowFile {
  /** The path as given. */
  readonly path: string;
  readonly entries: readonly AllowEntry[];
  readonly problems: readonly AllowProblem[];
}

const keys = ['resource', 'version', 'path', 'keyword', 'reason', 'expires'] as const;
const needed: readonly string[] = ['resource', 'keyword', 'reason', 'expires'];

/** Reads the text of the file, with every mistake in it. */
export function readAllowFile(path: string, text: string): AllowFile {
  const { documents, problems: broken } = parseYaml(text);
  const place = lineCounter(text);
  const problems: AllowProblem[] = broken.map(({ offset, message }) => ({ ...place(offset), message }));
  if (broken.length > 0) return { path, entries: [], problems };
  const [positions] = indexPositions(text);
  const at = (...steps: readonly (string | number)[]): ReturnType<typeof place> =>
    place(positions === undefined ? 0 : findOffset(positions, steps, 'key'));
  const [document] = documents;
  if (document === undefined) return { path, entries: [], problems };
  const written = get(document, 'allow');
  if (!Array.isArray(written)) {
    return { path, entries: [], problems: [{ ...at(), message: 'the file must have a list `allow`' }] };
  }
  const entries = list(written).flatMap((entry, index): AllowEntry[] => {
    const found = problemsOf(entry);
    problems.push(...found.map(({ key, message }) => ({ ...at('allow', index, ...(key ? [key] : [])), message })));
    return found.length > 0 ? [] : [entryOf(entry, at('allow', index).line)];
  });
  return { path, entries, problems };
}

interface EntryProblem {
  readonly key?: string;
  readonly message: string;
}

function problemsOf(entry: Raw): readonly EntryProblem[] {
  if (!isObject(entry)) return [{ message: 'an entry must be a mapping' }];
  const unknown = Object.keys(entry).filter((key) => !keys.some((known) => known === key));
  const missing = needed.filter((key) => textField(entry, key) === undefined);
  return [
    ...unknown.map((key) => ({ key, message: `unknown key \`${key}\`; ${didYouMean(key, keys) ?? keys.join(', ')}` })),
    ...missing.map((key) => ({ message: `the entry has no \`${key}\`` })),
    ...dateProblems(textField(entry, 'expires')),
  ];
}

function dateProblems(expires: string | undefined): readonly EntryProblem[] {
  if (expires === undefined) return [];
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(expires) && new Date(`${expires}T00:00:00Z`).toJSON()?.startsWith(expires);
  return isDate ? [] : [{ key: 'expires', message: `\`${expires}\` is not a date; write it as 2026-12-31` }];
}

const textField = (entry: Raw, key: string): string | undefined => {
  const value = get(entry, key);
  return typeof value === 'string' && (value !== '' || key === 'path') ? value : undefined;
};

function entryOf(entry: Raw, line: number): AllowEntry {
  const text = (key: string): string => textField(entry, key) ?? '';
  const version = textField(entry, 'version');
  return {
    resource: text('resource'),
    ...(version === undefined ? {} : { version }),
    path: text('path'),
    keyword: text('keyword'),
    reason: text('reason'),
    expires: text('expires'),
    line,
  };
}

/**
 * Reads the file; `undefined` if no name is given and the definitions have none. Throws a `SideError` if it cannot be
 * read.
 */
export function loadAllow(named: string | undefined, schemas: string | undefined): AllowFile | undefined {
  const usual = schemas === undefined ? undefined : join(schemas, usualAllowPath);
  const path = named ?? (usual !== undefined && existsSync(usual) ? usual : undefined);
  if (path === undefined) return undefined;
  try {
    return readAllowFile(path, readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SideError(`--allow ${path} ${describe(error)}`);
  }
}

/** An entry without effect. */
export interface IdleEntry {
  readonly entry: AllowEntry;
  /** `expired`: its day is over, and it would have allowed a difference. `unused`: it matches no difference. */
  readonly why: 'expired' | 'unused';
  /** The change with which an unused entry would match a difference, as in ``write `path: spec.size` ``. */
  readonly instead?: string;
}

interface Applied {
  readonly findings: readonly Finding[];
  readonly idle: readonly IdleEntry[];
}

/** Marks the findings that are allowed on a day, given as `2026-12-31`. */
export function applyAllow(findings: readonly Finding[], file: AllowFile | undefined, today: string): Applied {
  if (file === undefined) return { findings, idle: [] };
  const current = file.entries.filter((entry) => today <= entry.expires);
  const marked = findings.map((finding): Finding => {
    const entry = finding.severity === 'safe' ? undefined : current.find((each) => isAbout(each, finding));
    return entry === undefined ? finding : { ...finding, allowed: { reason: entry.reason, expires: entry.expires } };
  });
  const idle = file.entries.flatMap((entry): IdleEntry[] => {
    const isUsed = marked.some((finding) => finding.severity !== 'safe' && isAbout(entry, finding));
    if (!isUsed) return [unused(entry, marked)];
    return today <= entry.expires ? [] : [{ entry, why: 'expired' }];
  });
  return { findings: marked, idle };
}

/**
 * Returns an unused entry, with the change that makes it match a difference of the same keyword that no other entry
 * allows.
 */
function unused(entry: AllowEntry, findings: readonly Finding[]): IdleEntry {
  const { resource, version, path, keyword } = entry;
  const near = findings.find(
    ({ difference, severity, allowed }) =>
      severity !== 'safe' && !allowed && difference.resource === resource && difference.keyword === keyword,
  );
  if (near === undefined) return { entry, why: 'unused' };
  const { difference } = near;
  const change = (key: string, value: string | undefined): string =>
    value ? `write \`${key}: ${value}\`` : `leave out \`${key}\``;
  const changes = [
    ...(difference.path === path ? [] : [change('path', difference.path)]),
    ...(version === undefined || difference.version === version ? [] : [change('version', difference.version)]),
  ];
  return { entry, why: 'unused', instead: changes.join(', ') };
}

function isAbout({ resource, version, path, keyword }: AllowEntry, { difference }: Finding): boolean {
  if (resource !== difference.resource || path !== difference.path || keyword !== difference.keyword) return false;
  return version === undefined || version === difference.version;
}

/** Returns the current day in UTC, as `2026-12-31`. */
export const today = (): string => new Date().toISOString().slice(0, 10);
