/** The environment of an expression: variables, types, functions, macros and limits. */
import type { Type } from './check/types.js';
import type { DataType } from './schema/data-type.js';
import type { MacroGroup } from './syntax/macros.js';
import type { CelValue } from './values/value.js';

/** One signature of a function. */
export interface Overload {
  /** Unique among all overloads. Compiled programs call the overload by it. */
  readonly id: string;
  /** Whether expressions call it on its first parameter, as in `a.contains(b)`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /** Whether the function itself checks the types of all arguments but the first. */
  readonly loose?: boolean;
  /** Whether it takes numbers of any type if types are only known at run time. */
  readonly mixesNumbers?: boolean;
  /** Takes values of exactly these parameter types. Throws errors of the language as `EvaluationError`. */
  run?(...args: CelValue[]): CelValue;
}

/** A function with all its signatures, tried in order. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** A set of functions that belong together, with the types and constants that come with them. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly MacroGroup[];
  /** Types that expressions can name, by name, such as `int`. */
  readonly types?: Readonly<Record<string, Type>>;
  /** Whether expressions may use `a.?b` and similar syntax. */
  readonly optionalSyntax?: boolean;
}

/** A variable of expressions. */
export interface Variable {
  readonly type: Type;
  /** How to read the value if it is decoded JSON; absent if it is a value of the language. */
  readonly data?: DataType;
}

/** The fields of an object type. */
export interface ObjectType {
  readonly name: string;
  readonly fields: Readonly<Record<string, Type>>;
  /** The type of fields with other names; absent if there are none. */
  readonly others?: Type;
}

export interface EnvironmentOptions {
  readonly variables?: Readonly<Record<string, Variable>>;
  readonly libraries: readonly Library[];
  /** Object types that are not part of a variable's schema. */
  readonly types?: readonly ObjectType[];
  /** Returns the object type of a name, for types that `types` cannot list. */
  readonly namedTypes?: (name: string) => ObjectType | undefined;
  /** Makes an object of a type; absent if expressions may not make objects. */
  readonly construct?: (type: string, fields: ReadonlyMap<string, CelValue>) => CelValue;
  /** The namespace in which names are looked up first, such as `a.b`. */
  readonly container?: string;
  /** Whether literal lists and maps may have values of several types. */
  readonly mixedLiterals?: boolean;
  /** Whether expressions may compare numbers of different types with `<` and similar operators. */
  readonly mixedComparisons?: boolean;
  /** Whether the checker also checks literals of patterns, durations, timestamps and formats. */
  readonly checkedLiterals?: boolean;
  /** Whether to report errors of types in the words of release 1.27, including errors that follow from others. */
  readonly earlyMessages?: boolean;
  /**
   * Whether to estimate costs as release 1.27 does, which knows less about the sizes of lists that expressions make.
   */
  readonly earlyEstimates?: boolean;
  /** Whether field names may be in backquotes. */
  readonly escapedNames?: boolean;
  /** The maximum depth of expressions; by default 250. */
  readonly maxDepth?: number;
}

/** An environment prepared for use. It is immutable, and all expressions of the same kind share it. */
export class Environment {
  readonly functions = new Map<string, FunctionDeclaration>();
  readonly overloads = new Map<string, Overload>();
  /** Types that expressions can name. Types of schemas have no such name. */
  readonly typeNames = new Map<string, Type>();
  readonly objects = new Map<string, ObjectType>();
  readonly macros: ReadonlySet<MacroGroup>;
  readonly optionalSyntax: boolean;

  constructor(readonly options: EnvironmentOptions) {
    for (const library of options.libraries) {
      for (const declaration of library.functions) this.declare(declaration);
      for (const [name, type] of Object.entries(library.types ?? {})) this.typeNames.set(name, type);
    }
    for (const type of options.types ?? []) {
      this.objects.set(type.name, type);
      this.typeNames.set(type.name, { kind: 'object', name: type.name });
    }
    for (const variable of Object.values(options.variables ?? {})) this.declareObjects(variable.data);
    this.macros = new Set(options.libraries.flatMap(({ macros }) => macros ?? []));
    this.optionalSyntax = options.libraries.some(({ optionalSyntax }) => optionalSyntax === true);
  }

  /** Returns a variable by its name. */
  variable(name: string): Variable | undefined {
    const { variables } = this.options;
    return variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined;
  }

  /** Returns the type that a name stands for in expressions. */
  typeNamed(name: string): Type | undefined {
    const known = this.typeNames.get(name);
    if (known !== undefined || this.options.namedTypes?.(name) === undefined) return known;
    return { kind: 'object', name };
  }

  /** Returns an object type by its name. */
  objectNamed(name: string): ObjectType | undefined {
    return this.objects.get(name) ?? this.options.namedTypes?.(name);
  }

  /** Returns the function of a name, by its first candidate that names one. */
  functionNamed(name: string): FunctionDeclaration | undefined {
    for (const candidate of this.candidates(name)) {
      const declaration = this.functions.get(candidate);
      if (declaration !== undefined) return declaration;
    }
    return undefined;
  }

  /** Returns the full names that a name may mean in the container, the innermost first. */
  candidates(name: string): string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    const names: string[] = [];
    for (
      let space = this.options.container ?? '';
      space !== '';
      space = space.slice(0, Math.max(0, space.lastIndexOf('.')))
    ) {
      names.push(`${space}.${name}`);
    }
    return [...names, name];
  }

  private declare(declaration: FunctionDeclaration): void {
    // A later overload replaces an earlier one with the same id.
    const overloads = new Map(
      [...(this.functions.get(declaration.name)?.overloads ?? []), ...declaration.overloads].map(
        (overload) => [overload.id, overload] as const,
      ),
    );
    this.functions.set(declaration.name, { name: declaration.name, overloads: [...overloads.values()] });
    for (const overload of declaration.overloads) this.overloads.set(overload.id, overload);
  }

  private declareObjects(data: DataType | undefined): void {
    if (data === undefined || (data.type.kind === 'object' && this.objects.has(data.type.name))) return;
    if (data.type.kind === 'object' && data.fields !== undefined) {
      const fields = Object.fromEntries([...data.fields].map(([name, field]) => [name, field.data.type]));
      this.objects.set(data.type.name, { name: data.type.name, fields });
      for (const { data: field } of data.fields.values()) this.declareObjects(field);
    }
    if (data.items !== undefined) this.declareObjects(data.items);
    if (data.values !== undefined) this.declareObjects(data.values);
  }
}

/** Returns the type of a field, or `undefined` if the object has no such field. */
export const fieldTypeIn = ({ fields, others }: ObjectType, name: string): Type | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : others;
