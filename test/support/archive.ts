/** Text files in one file, in the txtar format: a comment, then files, each below a line `-- path --`. */

/** An archive: its comment, and the contents of its files by path. */
export interface Archive {
  readonly comment: string;
  readonly files: ReadonlyMap<string, string>;
}

const marker = /^-- (.+) --\n/m;

export function readArchive(text: string): Archive {
  const [comment = '', ...parts] = text.split(marker);
  const paths = parts.filter((_, index) => index % 2 === 0);
  return { comment, files: new Map(paths.map((path, index) => [path, parts[index * 2 + 1] ?? ''])) };
}

export const printArchive = ({ comment, files }: Archive): string =>
  [comment, ...[...files].map(([path, content]) => `-- ${path} --\n${content}`)].join('');
