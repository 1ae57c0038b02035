/** Stands in for parts of kinds' modules, until they are read from files of their own. */

/** By which a module, and each copy of it, knows which kind in the files is its own. */
const kindKey = Symbol('kind');

interface Late {
  readonly [kindKey]: string;
}

/** What a file has of each kind, whose path is as in `core/v1/pods`. */
export type LateFile = Readonly<Record<string, unknown>>;

/** A file that is read once, by the first who asks for what is in it. */
export function lateFile(read: () => LateFile): () => LateFile {
  let file: LateFile | undefined;
  return () => {
    file ??= read();
    return file;
  };
}

/**
 * Gives modules the parts of these names, each of which is in a file. To ask for one throws where the file is not the one
 * that was built with this. All modules inherit the same getters, as V8 takes objects with getters of their own for
 * dictionaries, whose properties it finds slowly.
 */
export function lateParts(
  files: Readonly<Record<string, () => LateFile>>,
): <Module extends object>(kind: string, module: Module) => Module {
  const prototype = Object.defineProperties(
    {},
    Object.fromEntries(Object.entries(files).map(([name, file]) => [name, partOf(file)])),
  );
  return (kind, module) => Object.setPrototypeOf(Object.assign(module, { [kindKey]: kind }), prototype);
}

function partOf(file: () => LateFile): PropertyDescriptor & ThisType<Late> {
  return {
    get() {
      const kind = this[kindKey];
      const part = file()[kind];
      if (part === undefined) throw new Error(`the build is damaged: there is nothing of ${kind}`);
      return part;
    },
  };
}
