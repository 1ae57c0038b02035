/** Finds the line of a file that sets a flag. Done where the flag has a mistake. */
import { readFileSync } from 'node:fs';
import { lineCounter } from '../../runtime/objects/lines.js';

/** As in `kindforge.config.ts:8:5`; the source as it is where it is no file, or does not spell the flag out. */
export function settingPlace(source: string, name: string): string {
  const text = textOf(source);
  // The configuration of a project has its settings below `serve`; the file of --config has nothing else.
  const from = Math.max(text.search(/\bserve['"]?\s*:/), 0);
  const settings = [...text.slice(from).matchAll(/(?<![\w-])['"]?([\w-]+)['"]?\s*:/g)];
  const setting = settings.find(([, spelled]) => spelled === name);
  if (setting === undefined) return source;
  const { line, column } = lineCounter(text)(from + setting.index);
  return `${source}:${line}:${column}`;
}

function textOf(source: string): string {
  try {
    return readFileSync(source, 'utf8');
  } catch {
    return '';
  }
}
