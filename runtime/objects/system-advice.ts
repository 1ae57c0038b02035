/** Says what to do about errors of the operating system. */

/** By the code that stands in the messages of Node.js; `folder` is the one that paths are seen from. */
const advice: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `is the path right? It is seen from ${folder}`,
  EACCES: () => 'this user may not do that: ls -l shows who may, chown and chmod change it',
  EPERM: () => 'this user may not do that: ls -l shows who may, chown and chmod change it',
  EISDIR: () => 'that is a folder: name a file in it',
  ENOTDIR: () => 'a part of the path is a file, where a folder is needed',
  ENOSPC: () => 'the disk is full: df -h shows which, and how much is left',
  EROFS: () => 'that cannot be written here: name a place on another disk',
  EMFILE: () => 'too many files are open: ulimit -n shows how many may be',
};

/** The message, on its line what to do, where it names an error of the operating system. */
export function withAdvice(message: string, folder: string): string {
  const [, code = ''] = /\b(E[A-Z]{3,})\b(?=:)/.exec(message) ?? [];
  const known = Object.hasOwn(advice, code) ? advice[code] : undefined;
  return known === undefined ? message : `${message}; ${known(folder)}`;
}
