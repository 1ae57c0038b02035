/** Every code a diagnostic can have. A code keeps its meaning for ever; `docs/diagnostics.md` has a row for each. */

export interface CodeInfo {
  /** Errors stop generation, warnings do not. */
  readonly severity: 'error' | 'warning';
  readonly title: string;
  /** A warning in CustomResourceDefinitions, which a server accepts in spite of it. */
  readonly isTolerated?: boolean;
}

const error = (title: string): CodeInfo => ({ severity: 'error', title });
const warning = (title: string): CodeInfo => ({ severity: 'warning', title });
const tolerated = (title: string): CodeInfo => ({ severity: 'error', title, isTolerated: true });

/**
 * KF1: reading files. KF2: the format. KF3: names, references and the structure of schemas. KF4: their meaning. KF5:
 * promises to clients.
 */
export const codes = {
  KF1001: error('a file or folder cannot be read'),
  KF1002: error('a file is not UTF-8'),
  KF1003: error('a file is not YAML'),
  KF1004: error('a key is written twice'),
  KF1005: error('a file is too large'),
  KF1006: error('values are nested too deeply or multiplied by aliases'),
  KF1007: error('an alias refers to nothing'),
  KF1008: error('a tag does not fit its value'),
  KF1009: error('a key is not a string'),
  KF1010: error('a merge key has nothing to merge'),
  KF1011: warning('an unquoted value means different things to different YAML readers'),
  KF1012: error('a number is not one that JSON can hold'),
  KF1013: error('there is nothing to generate from'),

  KF2001: error('a document is not a definition'),
  KF2002: error('a definition has an unknown kind or API version'),
  KF2003: error('a key is unknown'),
  KF2004: error('a key is missing'),
  KF2005: error('a value has the wrong type'),
  KF2006: error('a value is not among those allowed'),
  KF2007: tolerated('a value is out of bounds'),
  KF2008: warning('a server would drop an unknown key'),

  KF3001: error('a keyword cannot be part of a structural schema'),
  KF3002: error('a definition is not named after its resource'),
  KF3003: error('a name is malformed'),
  KF3004: error('a kind and its list have the same name'),
  KF3005: error('a field has no type'),
  KF3006: error('an object schema is not an object'),
  KF3007: error('properties and additionalProperties exclude each other'),
  KF3008: error('a key is not allowed below allOf, anyOf, oneOf or not'),
  KF3009: tolerated('only a rule knows a field'),
  KF3010: error('a schema restricts metadata'),
  KF3011: error('x-kubernetes-embedded-resource does not fit'),
  KF3012: error('x-kubernetes-int-or-string does not fit'),
  KF3013: error('uniqueItems is not supported'),
  KF3014: error('x-kubernetes-list-type does not fit'),
  KF3015: error('x-kubernetes-map-type does not fit'),
  KF3016: error('x-kubernetes-list-map-keys do not fit'),
  KF3017: error('a reference is malformed'),
  KF3018: error('a reference leads nowhere'),
  KF3019: error('a type refers to itself'),
  KF3020: error('a key beside a reference would change its type'),
  KF3021: error('a shared type is written twice'),
  KF3022: error('a schema is too large'),
  KF3023: error('a protected group needs an approval'),
  KF3024: error('a conversion does not fit'),
  KF3025: error('a marker does not fit its field'),
  KF3026: error('only a rule of the root knows a field'),

  KF4001: error('a default is not valid'),
  KF4002: error('a pattern is not a regular expression'),
  KF4003: tolerated('an enum has a value twice'),
  KF4004: tolerated('an enum value has the wrong type'),
  KF4005: tolerated('bounds exclude every value'),
  KF4006: tolerated('a required property does not exist'),
  KF4007: error('there must be one storage version'),
  KF4008: error('a version is written twice'),
  KF4009: error('a resource is defined twice'),
  KF4010: error('two resources of a group share a name'),
  KF4011: tolerated('a subresource has no field'),
  KF4012: error('a path is not one that a subresource can have'),
  KF4013: error('a JSONPath is malformed'),
  KF4014: tolerated('a path leads to no field'),
  KF4015: error('a column has an unknown type or format'),
  KF4016: error('a field cannot be selected by'),
  KF4017: error('a deprecation warning does not fit'),
  KF4018: error('a validation rule is empty'),
  KF4019: error('a validation rule is malformed'),
  KF4020: error('a name format is unknown'),
  KF4021: error('a message is for a keyword that the field does not have'),
  KF4022: error('the life of a version runs backwards'),
  KF4023: tolerated('a column is written twice'),
  KF4024: tolerated('a keyword has no effect on this type'),
  KF4025: error('the expression of a validation rule cannot be used'),
  KF4026: error('validation rules may cost too much'),
  KF4027: error('a subresource with a kind of its own does not fit'),
  KF4028: error('a verb does not fit the kind'),
  KF4031: error('a conversion between versions is malformed'),
  KF4032: error('objects are stored as a resource that does not exist'),
  KF4033: error('a conversion would lose a field'),
  KF4034: warning('a version that declares no conversion would lose a field'),
  KF4035: tolerated('two versions without a conversion cannot read each other'),
  KF4036: warning('a version requires what another one may lack'),
  KF4037: warning('two versions have different defaults'),
  KF4038: tolerated('a path leads to a field of another type'),
  KF4039: error('the expression of a conversion cannot be used'),
  KF4040: error('the expression of a conversion may cost too much'),
  KF4041: warning('a version is deprecated in favour of a less stable one'),
  KF4042: warning('a version is removed too early'),
  KF4043: error('the expression of a conversion fails for a valid object'),
  KF4044: warning('the stored version refuses objects that another version accepts'),
  KF4045: error('a plugin or controller of the project follows a version that is not there'),
  KF4046: error('a relation cannot use a field'),
  KF4047: error('a reference leads to no kind that it can name'),
  KF4048: error('references go round in a circle'),

  KF5001: error('the lock of field numbers cannot be read'),
  KF5002: error('a change would break clients that read protobuf'),
  KF5003: error('the lock of field numbers is behind'),
  KF5004: error('a change would break users of the released definitions'),
  KF5005: warning('a change may surprise users of the released definitions'),
  KF5006: error('the allow file is malformed'),
  KF5007: warning('an entry of the allow file does nothing'),
  KF5008: error('the released definitions cannot be compared'),
} as const satisfies Record<string, CodeInfo>;

export type Code = keyof typeof codes;

/** Returns the severity of a code in a definition of the native format or in a CustomResourceDefinition. */
export function severityOf(code: Code, isNative: boolean): CodeInfo['severity'] {
  const { severity, isTolerated = false }: CodeInfo = codes[code];
  return isTolerated && !isNative ? 'warning' : severity;
}
