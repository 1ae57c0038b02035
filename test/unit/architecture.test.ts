/** Compares the imports of every source file with the table of arrows in `docs/architecture.md`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Returns a section of the page that states the law. */
const sectionOf = (heading: string): string =>
  readFileSync(join(root, 'docs/architecture.md'), 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** The rooms of the sources, and the rooms that each may import from besides itself. */
const arrows: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...sectionOf('Arrows').matchAll(/^\| `([^`]+)` *\| (.*) \|$/gm)].map(([, room = '', rest = '']) => [
    room,
    [...rest.matchAll(/`([^`]+)`/g)].map(([, target = '']) => target),
  ]),
);

/** Rooms that a room may import types from. It may import other things only from files with this ending. */
const typeArrows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  strategies: { generated: '/handlers.js' },
};

/** Folders that do no input or output: they use no module of Node that could. */
const pure = ['runtime/contract', 'runtime/objects', 'runtime/schema', 'runtime/cel', 'runtime/codec', 'runtime/merge'];
const impureModules = /^node:(fs|net|http|https|child_process|worker_threads|dgram|tls|process|os)\b/;

const packageRooms: Readonly<Record<string, string>> = {
  'kindforge/cel': 'runtime/cel',
  'kindforge/contract': 'contract.ts',
  'kindforge/client': 'client',
};

/** The files behind the package's own names. */
const packagePaths: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(root, 'tsconfig.json'), 'utf8'),
).compilerOptions.paths;

const roomOf = (path: string): string | undefined =>
  Object.keys(arrows)
    .sort((a, b) => b.length - a.length)
    .find((room) => path === room || path.startsWith(`${room}/`));

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Whether the import brings only types. */
  readonly typesOnly: boolean;
  /** Whether the module is loaded with the file: for its values, and not by `import()`. */
  readonly atOnce?: boolean;
}

const filesIn = (top: string): string[] =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((path) => join(top, path));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = [
    ...text.matchAll(/^\s*(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\('([^']+)'\)/gm),
  ];
  // A specifier with a placeholder is in a text that is printed.
  const own = statements.filter((match) => !match[0].includes('${'));
  return own.map((match) => ({
    file,
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
    typesOnly: /^\s*(import|export) type\b/.test(match[0]),
    atOnce: match[3] === undefined && !/^\s*(import|export) (type\b|\{(\s*type [\w ]+,?)+\s*\})/.test(match[0]),
  }));
}

const tops = new Set(
  Object.keys(arrows).map((room) => (room.startsWith('packages/') ? room : (room.split('/')[0] ?? ''))),
);
const sources = [...tops]
  .filter((top) => existsSync(join(root, top)))
  .flatMap((top) => (top.endsWith('.ts') ? [top] : filesIn(top)))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => path.split(sep).join('/'));

function targetRoom({ file, specifier }: Import): string | undefined {
  if (specifier in packageRooms) return packageRooms[specifier];
  if (!specifier.startsWith('.')) return undefined;
  return roomOf(posix.normalize(posix.join(posix.dirname(file), specifier)));
}

function forbidden(one: Import): boolean {
  const from = roomOf(one.file);
  const to = targetRoom(one);
  if (from === undefined || to === undefined || from === to || arrows[from]?.includes(to)) return false;
  const file = typeArrows[from]?.[to];
  return file === undefined || !(one.typesOnly || one.specifier.endsWith(file));
}

/**
 * Finds groups of files that import each other, even if only for types. Each group and the list of groups are sorted.
 */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  // Visits a file by Tarjan's algorithm. If a file leads back to no earlier one, its group has all files reached since.
  const visit = (file: string): number => {
    const position = reached.size;
    const depth = open.push(file);
    reached.set(file, position);
    let earliest = position;
    for (const next of graph.get(file) ?? []) {
      if (!reached.has(next)) earliest = Math.min(earliest, visit(next));
      else if (open.includes(next)) earliest = Math.min(earliest, reached.get(next) ?? position);
    }
    if (earliest === position) circles.push(open.splice(depth - 1).sort());
    return earliest;
  };
  for (const file of graph.keys()) if (!reached.has(file)) visit(file);
  return circles.filter(({ length }) => length > 1).sort();
}

/** Lists the files that are loaded with a file. */
function reachedFrom(door: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [door];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const next = importsOf(file).filter(({ specifier, atOnce }) => atOnce && !specifier.startsWith('node:'));
    open.push(
      ...next.flatMap((one) => packagePaths[one.specifier] ?? (one.specifier.startsWith('.') ? importedFile(one) : [])),
    );
  }
  return found;
}

const importedFile = ({ file, specifier }: Import): string =>
  posix.normalize(posix.join(posix.dirname(file), specifier)).replace(/\.js$/, '.ts');

describe('architecture', () => {
  it('finds the sources', () => expect(sources.length).toBeGreaterThan(20));

  it('has no import against the arrows', () => {
    const wrong = sources.flatMap(importsOf).filter(forbidden);
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('finds an import against the arrows', () => {
    const seen = (file: string, specifier: string, typesOnly = false): boolean =>
      forbidden({ file, specifier, typesOnly });
    expect(seen('runtime/objects/selectors/labels.ts', '../../read/get.js')).toBe(true);
    expect(seen('runtime/read/get.ts', '../objects/status.js')).toBe(false);
    expect(seen('strategies/core/pods.ts', '../../generated/core/v1/pods/types.js')).toBe(true);
    expect(seen('strategies/core/pods.ts', '../../generated/core/v1/pods/types.js', true)).toBe(false);
    expect(seen('strategies/core/pods.ts', '../../generated/core/v1/pods/handlers.js')).toBe(false);
  });

  it('has no circle of imports, not even of types', () => {
    const graph = new Map(sources.map((file) => [file, importsOf(file).map(importedFile)]));
    expect(circlesOf(graph)).toEqual([]);
  });

  it("has the generator's rooms import only from those above them in their table", () => {
    const rows = sectionOf("The generator's rooms").matchAll(/^\| `(\w+)` \|/gm);
    const rooms = [...rows].map(([, name = '']) => name);
    const roomOf = (file: string): number => rooms.indexOf(/^generator\/(\w+)\//.exec(file)?.[1] ?? '');
    const found = sources.flatMap(importsOf).filter((each) => roomOf(each.file) >= 0);
    expect(found.length).toBeGreaterThan(100);
    const wrong = found.filter((each) => roomOf(importedFile(each)) > roomOf(each.file));
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('finds a circle of imports', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(circlesOf(graph)).toEqual([['a', 'b', 'c']]);
  });

  it('keeps pure folders free of input and output', () => {
    const wrong = sources
      .filter((file) => pure.some((room) => file.startsWith(`${room}/`)))
      .flatMap(importsOf)
      .filter(({ specifier }) => impureModules.test(specifier));
    expect(wrong).toEqual([]);
  });

  it('opens every file with one sentence about its purpose', () => {
    const bare = sources
      .filter((file) => !file.startsWith('generated/'))
      .filter((file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(root, file), 'utf8')));
    expect(bare.map((file) => relative('.', file))).toEqual([]);
  });

  it.each([
    ['index.ts', /^node:/],
    ['client/index.ts', /^node:/],
    ['contract.ts', /^node:/],
    ['runtime/cel/index.ts', /^node:/],
    ['client-node.ts', /^undici$/],
    ['runtime/storage/index.ts', /^(unstorage|@grpc|protobufjs|lmdb|pg$)/],
    ['bin/project/index.ts', /^(h3|jiti|yaml|ts-morph)/],
    ['testing/index.ts', /^(vitest|node:test)$/],
  ])('loads %s without any module %s', (door, unwanted) => {
    const files = reachedFrom(door);
    expect(files.size).toBeGreaterThan(1);
    const found = [...files].flatMap(importsOf).filter(({ specifier, atOnce }) => atOnce && unwanted.test(specifier));
    expect(found.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('has nothing in client code that only Node has, outside its Node entry', () => {
    const wrong = sources
      .filter((file) => file.startsWith('client/') && !file.startsWith('client/node'))
      .flatMap(importsOf)
      .filter(({ specifier }) => specifier.startsWith('node:'));
    expect(wrong).toEqual([]);
  });
});
