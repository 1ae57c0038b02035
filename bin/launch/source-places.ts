/** Names places in the sources in the traces of errors: the files of a build have short names and few, long lines. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename } from 'node:path';

/** Has the traces of all errors to come name places in the sources of built files, as far as the maps beside them tell. */
export function nameSourcePlaces(files: readonly string[]): void {
  const maps = new Map<string, SourceMap>();
  const placeOf = (frame: NodeJS.CallSite): string => {
    // What was compiled ahead keeps the folder in which it was, wherever it has been moved since.
    const name = basename(frame.getFileName() ?? '');
    const file = files.find((one) => basename(one) === name);
    if (file === undefined) return String(frame);
    // Read once there is an error, as it takes half a second.
    const places = maps.get(file) ?? readPlaces(`${file}.map`);
    maps.set(file, places);
    const entry = places.findEntry((frame.getLineNumber() ?? 1) - 1, (frame.getColumnNumber() ?? 1) - 1);
    if (!('originalSource' in entry)) return String(frame);
    return `${withoutWayUp(entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${placeOf(frame)}`)].join('\n');
}

/** The map of a file; one that says nothing where it is not there. */
function readPlaces(file: string): SourceMap {
  const map: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  return new SourceMap(isSourceMap(map) ? map : none);
}

const none = { file: '', version: 3, sources: [], sourcesContent: [], names: [], mappings: '', sourceRoot: '' };

type RawMap = ConstructorParameters<typeof SourceMap>[0];

const isSourceMap = (map: unknown): map is RawMap => typeof map === 'object' && map !== null && 'mappings' in map;

/** Sources are named as seen from the folder of the build. */
const withoutWayUp = (path: string): string => path.replace(/^(\.\.\/)+/, '');
