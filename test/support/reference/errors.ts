/** The tables of docs/errors.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as guards from '../../../client/errors.js';
import { ApiError } from '../../../client/errors.js';
import { causeReasons, reasons } from '../../../runtime/objects/status.js';
import { root } from '../shared.js';
import { codes, type Parts, table } from './page.js';

export const errorTables = (): Parts => ({
  reasons: table(
    ['reason', 'code', 'when', 'what to do', 'guard of the SDK'],
    Object.entries(reasons).map(([reason, { code, when, cure }]) => [
      codes([reason]),
      String(code),
      when,
      cure,
      codes(guardsOf(reason, code)),
    ]),
  ),
  causes: table(
    ['reason of the cause', 'when'],
    Object.entries(causeReasons).map(([reason, when]) => [codes([reason]), when]),
  ),
  classes: table(['error', 'exported by', 'when'], errorClasses()),
});

/** Names the functions of the SDK that recognize a reason. */
function guardsOf(reason: string, code: number): readonly string[] {
  const error = new ApiError(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, reason, code });
  const { isStatus: _, isOfClass: __, ...known } = guards;
  return Object.entries(known).flatMap(([name, guard]) =>
    name.startsWith('is') && Reflect.apply(guard, undefined, [error]) === true ? [name] : [],
  );
}

/** Returns a row for each error class that the package exports, with the sentence above the class. */
function errorClasses(): readonly (readonly string[])[] {
  const doors = new Map<string, string[]>();
  // A test compares these reports with the exports.
  for (const file of readdirSync(join(root, 'docs/api')).sort()) {
    const report = readFileSync(join(root, 'docs/api', file), 'utf8');
    const [door = ''] = /(?<=^# ).+/m.exec(report) ?? [];
    for (const [, name = ''] of report.matchAll(/^class (\w+) extends \w*Error\b/gm))
      doors.set(name, [...(doors.get(name) ?? []), door]);
  }
  const sentences = documented();
  return [...doors].sort().map(([name, exporters]) => {
    const sentence = sentences.get(name);
    if (sentence === undefined) throw new Error(`no comment above class ${name}`);
    return [codes([name]), codes(exporters), sentence];
  });
}

/** Reads the comments above the error classes of the code. */
function documented(): ReadonlyMap<string, string> {
  const folders = ['bin', 'client', 'controllers', 'runtime', 'server', 'testing'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
  const found = files.flatMap((text) => [
    ...text.matchAll(/\/\*\* ((?:(?!\*\/)[\s\S])*?) \*\/\nexport class (\w+) extends \w*Error\b/g),
    ...text.matchAll(/\/\*\*\n((?: \* .*\n)+) \*\/\nexport class (\w+) extends \w*Error\b/g),
  ]);
  return new Map(found.map(([, comment = '', name = '']) => [name, comment.replaceAll(/\s*\n? \* /g, ' ').trim()]));
}
