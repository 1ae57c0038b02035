/** Stands in for parts of kinds' modules, until they are read from files of their own. */

/** By which a module, and each copy of it, knows which kind in the files is its own. */
const kindKey = Symbol('kind');

interface Late {
  readonly [kindKey]: string;
}

/** What a file has of each kind, whose path is as in `core/v1/pods`. */
export type LateFile = Readonly<Record<string, unknown>>;

/**
 * Gives modules the parts of these names, each of which is in a file. A file is read by the first who asks for what is in
 * it; that throws where the file is not the one that was built with this. All modules inherit the same getters, as V8 takes
 * objects with getters of their own for dictionaries, whose properties it finds slowly.
 */
export function lateParts(
  files: Readonly<Record<string, () => LateFile>>,
): <Module extends object>(kind: string, module: Module) => Module {
  const prototype = Object.defineProperties(
    {},
    Object.fromEntries(Object.entries(files).map(([name, load]) => [name, partOf(load)])),
  );
  return (kind, module) => Object.setPrototypeOf(Object.assign(module, { [kindKey]: kind }), prototype);
}

function partOf(load: () => LateFile): PropertyDescriptor & ThisType<Late> {
  let file: LateFile | undefined;
  return {
    get() {
      const kind = this[kindKey];
      file ??= load();
      const part = file[kind];
      if (part === undefined) throw new Error(`the build is damaged: there is nothing of ${kind}`);
      return part;
    },
  };
}
