/** Every code of a diagnostic. A code keeps its meaning for ever; a test prints them into `docs/diagnostics.md`. */

export interface CodeInfo {
  /** Errors stop generation, warnings do not. */
  readonly severity: 'error' | 'warning';
  /** For `docs/diagnostics.md`, in Markdown. */
  readonly meaning: string;
  readonly cure: string;
  /** A warning in CustomResourceDefinitions, because servers accept it. */
  readonly isTolerated?: boolean;
}

const error = (meaning: string, cure: string): CodeInfo => ({ severity: 'error', meaning, cure });
const warning = (meaning: string, cure: string): CodeInfo => ({ severity: 'warning', meaning, cure });
const tolerated = (meaning: string, cure: string): CodeInfo => ({ ...error(meaning, cure), isTolerated: true });

/** The headings of the codes, by their first characters. */
export const codeGroups: Readonly<Record<string, string>> = {
  KF1: 'Reading files',
  KF2: 'The format',
  KF3: 'Names, references and the structure of schemas',
  KF4: 'What definitions mean',
  KF5: 'What has been promised',
};

// biome-ignore format: a row is a line
export const codes = {
  KF1001: error('A file or folder is a broken link, cannot be read, or is not a file at all.', 'Fix the link or the rights, or move it out of the folder.'),
  KF1002: error('The bytes are not UTF-8. The position is the first byte that does not fit.', 'Save the file as UTF-8, with or without a byte order mark.'),
  KF1003: error('The text is not YAML 1.2. Each document of a file is read by itself, so one such mistake does not hide mistakes in other documents.', 'Fix the place that the message names, or the line before it. Tabs cannot indent.'),
  KF1004: error('A mapping has the same key twice; later checks use the first one.', 'Remove one of the two.'),
  KF1005: error('A file has more than 16 MiB. If its text is unusual or has a mistake, the limit is three million strings, indicators and line breaks.', 'Spread the definitions over several files.'),
  KF1006: error('Values are nested more than 300 levels deep, or aliases multiply them to more than a million.', 'Write fewer levels, or less behind each alias.'),
  KF1007: error('An alias (`*name`) has no anchor (`&name`) before it, or is inside its own anchor.', 'Check the name; an anchor must come first.'),
  KF1008: error('A tag (`!!int`, `!secret`) is unknown or does not fit the value behind it.', 'Leave the tag out.'),
  KF1009: error('A key is a mapping, a list or null.', 'Write a string.'),
  KF1010: error('The value of a merge key (`<<`) is neither a mapping nor a list of mappings.', 'Write an alias of a mapping.'),
  KF1011: warning('An unquoted word such as `on`, `y` or `0755`, or a key such as `1.10`, means one thing in YAML 1.2, which Kindforge reads, and another in YAML 1.1, which kubectl reads.', 'Put it in quotes, or write the value that you mean.'),
  KF1012: error('A number is infinite, not a number, or too large for JSON.', 'Write a finite number, or a string.'),
  KF1013: error('The folder holds no file that ends in `.yaml`, `.yml` or `.json`.', 'Check `--schemas`.'),

  KF2001: error('A document is a list or a single value.', 'Write a definition, or move the file out of the folder.'),
  KF2002: error('`kind` is not ResourceDefinition, TypeLibrary or CustomResourceDefinition, or `apiVersion` is not an API version of this kind.', 'Keep other objects out of the folder.'),
  KF2003: error('A key is not part of the format.', 'Check its spelling; the format is described in `schemas/meta`.'),
  KF2004: error('A key that the format requires is missing.', 'Add it.'),
  KF2005: error('A value has another type than the format requires.', 'Write the type that the message names; put strings that look like numbers in quotes.'),
  KF2006: error('A value is not allowed here.', 'Choose one that the message names.'),
  KF2007: tolerated('A value is too small, too large, empty, repeated, or does not match the pattern of the format.', 'Write a value within the bounds that the message names.'),
  KF2008: warning('A CustomResourceDefinition has a key that no server knows. Servers drop it, with a warning.', 'Check its spelling, or remove it.'),

  KF3001: error('A keyword of JSON Schema, such as `definitions` or `patternProperties`, has no meaning in a structural schema. `$ref` is for native definitions only.', 'Write the schema out, or make it a native definition with a type library.'),
  KF3002: error('`metadata.name` is not `<plural>.<group>` (only the plural in the core group).', 'Rename the definition.'),
  KF3003: error('A group, plural, singular, kind, short name, category, version, subresource or type has a name of the wrong form.', 'Follow the rule that the message names.'),
  KF3004: error('`kind` and `listKind` are the same.', "Let the list's kind end in `List`."),
  KF3005: error('A field, the items of a list or the values of a map have no `type`, and neither `x-kubernetes-int-or-string` nor `x-kubernetes-preserve-unknown-fields` in its place.', 'Write the type.'),
  KF3006: error('The root of a schema is not of type object, is nullable, or has a keyword that the status subresource does not allow.', 'Write `type: object`, and other rules on `spec`.'),
  KF3007: error('An object has known fields and is a map at the same time.', 'Keep `properties` or `additionalProperties`.'),
  KF3008: error('A key that defines a field is below `allOf`, `anyOf`, `oneOf` or `not`. These can only restrict values.', 'Write it on the field itself.'),
  KF3009: tolerated('A rule below `allOf`, `anyOf`, `oneOf` or `not` names a field that the schema does not have.', 'Add the field to the schema, or fix its name.'),
  KF3010: error('A schema says something about `apiVersion`, `kind` or `metadata` that only the server can decide. Of metadata, `name` and `generateName` can be restricted.', 'Remove it.'),
  KF3011: error('`x-kubernetes-embedded-resource` is on something that is not an object with known fields, or within the metadata of another object.', 'Give it `type: object` and `properties`, or `x-kubernetes-preserve-unknown-fields: true`.'),
  KF3012: error('`x-kubernetes-int-or-string` is beside a key that contradicts it.', 'Remove the other key; leave `type` out.'),
  KF3013: error('`uniqueItems: true` would make each write compare all items with each other.', 'Write `x-kubernetes-list-type: set`.'),
  KF3014: error('`x-kubernetes-list-type` is on something that is not a list, or is `set` for items that cannot be compared.', 'Let items of a set be scalars, or atomic.'),
  KF3015: error('`x-kubernetes-map-type` is on something that is not an object.', 'Remove it.'),
  KF3016: error('The keys of a list of type `map` are missing, unknown, not scalar, nullable, or may be absent from an item.', 'Name scalar properties that every item has.'),
  KF3017: error('A `$ref` is not of the form `<library>#/<Type>`.', 'Write it as in `bakery/v1#/Topping`; see [shared types](definitions.md#shared-types).'),
  KF3018: error('A `$ref` leads to a library or a type that does not exist. The libraries of the built-in kinds, such as `meta/v1`, are not available to your own definitions.', 'Check the name, or add the type.'),
  KF3019: error('A type contains itself, so its schema would be infinite.', 'Write `x-kubernetes-preserve-unknown-fields: true` beside the `$ref` that closes the circle.'),
  KF3020: error('A key beside a `$ref` would make the field another type than the one it refers to.', 'Keep description, default, bounds and markers; put the rest into the type.'),
  KF3021: error('Two documents write the same type of the same library.', 'Remove or rename one.'),
  KF3022: error('With all references expanded, a schema has more than 200,000 fields or 300 levels; a default, example or enum more than 40 levels; or `allOf` and similar keywords more than 30.', 'Let some part of it preserve unknown fields, or write fewer levels.'),
  KF3023: error('A group of the Kubernetes project (`*.k8s.io`, `*.kubernetes.io`) needs the annotation `api-approved.kubernetes.io`.', 'Use a domain of your own, or name the approval.'),
  KF3024: error("The conversion of a CustomResourceDefinition lacks its webhook, or the webhook's address or versions are wrong.", 'Follow the message.'),
  KF3025: error('A marker is on a field that it does not apply to.', 'Remove it, or fix the property that it names.'),
  KF3026: error('A rule below `allOf`, `anyOf`, `oneOf` or `not` of the root of a CustomResourceDefinition names a field that the schema does not have.', 'Add the field to the schema, or fix its name.'),

  KF4001: error('A default does not fit the schema of its field, breaks a rule of it, or has fields that the schema does not know.', 'Write a value that the schema allows.'),
  KF4002: error('A pattern is not a regular expression by the rules of RE2, which has neither look-around nor back references.', 'Fix it, or write a CEL rule.'),
  KF4003: tolerated('An enum lists the same value twice.', 'Remove one.'),
  KF4004: tolerated("A value of an enum is not of the field's type.", 'Put it in quotes, or fix the type.'),
  KF4005: tolerated('A lower bound is greater than the upper bound, so no value fits.', 'Swap or correct them.'),
  KF4006: tolerated('`required` names a property that the schema does not have.', 'Check its spelling, or add the property.'),
  KF4007: error('No version, or more than one, is marked as the one in which objects are stored.', 'Write `storage: true` in one version.'),
  KF4008: error('Two versions have the same name.', 'Remove or rename one.'),
  KF4009: error('Two documents define the same resource.', 'Remove one.'),
  KF4010: error('Two resources of a group share a plural, singular, short name, kind or list kind.', 'Rename one.'),
  KF4011: tolerated('A subresource writes a field that the schema does not have.', 'Add the field, or fix the path.'),
  KF4012: error('A path of the subresource `scale` is missing, is not a plain path below `.spec` or `.status`, or is at another subresource.', 'Write it as in `.spec.replicas`.'),
  KF4013: error('The JSONPath of a column cannot be read.', 'Write it as in `.status.conditions[?(@.type=="Ready")].status`.'),
  KF4014: tolerated('A path leads to a field that the schema does not have, so the cell would always be empty.', 'Fix the path, or add the field.'),
  KF4015: error('A column has a type or format that does not exist.', 'Choose one that the message names.'),
  KF4016: error('A selectable field is not a plain path to a scalar of the schema, is written twice, or there are more than eight of them.', 'Follow the message.'),
  KF4017: error('A version has a deprecation warning, or a replacement, without being deprecated, or the warning is empty, too long or not printable.', 'Follow the message.'),
  KF4018: error('A CEL rule is empty.', 'Write it, or remove it.'),
  KF4019: error('A CEL rule has an empty or broken message, or blames a field that does not exist.', 'Follow the message.'),
  KF4020: error('A rule for names is not one that exists.', 'Choose one that the message names.'),
  KF4021: error('`x-kindforge-messages` has a message for a keyword that the field does not have.', 'Check the keyword.'),
  KF4022: error('A version was deprecated before it was introduced, or removed before that.', 'Fix the releases.'),
  KF4023: tolerated('Two columns have the same name.', 'Rename one.'),
  KF4024: tolerated('A keyword has no effect on the type of its field, such as `pattern` on a number.', 'Remove it, or fix the type.'),
  KF4025: error('The expression of a CEL rule or of its message has a mistake, yields the wrong type, or compares with an earlier state that does not exist.', 'Follow the message; places in the expression are line:column.'),
  KF4026: error('A CEL rule, or all of a schema together, may cost more than the limits, given the bounds of the fields that it reads.', 'Set bounds on these fields, or simplify the rule.'),
  KF4027: error('A subresource with a kind of its own, or one that connects, lists fields of the object that it writes, or is called `status` or `scale`.', 'Remove `writes`, or give it another name.'),
  KF4028: error('A kind that is stored has no verbs, a virtual kind has one that needs stored objects, or a kind without metadata has any.', 'A virtual kind can have `create`, `get` and `list`.'),
  KF4031: error('A step of a conversion has a malformed place, leads to no field, goes through different lists, or belongs to the stored version and cannot be reversed.', 'Follow the message; [versions](versions.md) explains the steps.'),
  KF4032: error('`storedAs` names a resource that does not exist, has another kind, or is itself stored as another one.', 'Name the definition that stores the objects.'),
  KF4033: error('Generated test objects that their version accepts lose the field when they are converted to the other version and back.', 'Name the field that it goes to, keep it in an annotation, or give a reason.'),
  KF4034: warning('As KF4033, for a version that does not declare a conversion.', 'Write its `conversion`.'),
  KF4035: tolerated('A field has another type in the stored version, or an enum or bounds that share no value, and nothing converts between the two. Reported at both places.', 'Give both the same type, or convert.'),
  KF4036: warning('A version requires a field that objects of the stored version may lack, or the other way round; or one of the two refuses nulls or repeated items that the other accepts. Reported at both places.', 'Write the same in both, or give the field a default.'),
  KF4037: warning('A field has another default in the stored version, or a default in one of the two only. Reported at both places.', 'Write the same default in both.'),
  KF4038: tolerated('The path of a column or of `scale` leads to a field of a type that it cannot show. Reported at the path and at the field.', 'Fix the path or the type.'),
  KF4039: error('An expression of a conversion cannot be compiled, or yields another type than the field has.', 'Fix the expression.'),
  KF4040: error('An expression of a conversion may cost more than the limit, over all places that it applies to.', 'Simplify it, or set bounds on lists and strings in the schema.'),
  KF4041: warning('A version is deprecated in favour of one that promises less: beta for stable, alpha for beta, or an earlier one of the same stage.', 'Name another one; see the [life of versions](lifecycle.md).'),
  KF4042: warning('`removed` is within the same major release for a stable version, or less than three releases after the deprecation of a beta version.', 'Follow the message.'),
  KF4043: error('A value of a valid object cannot be converted: an expression fails, or the other version has another type there.', 'Convert such values by an expression, or make the schema refuse them.'),
  KF4044: warning('The stored version refuses a generated test object that another version accepts, so every later write of the object fails.', 'Make the version refuse such objects too, or convert them to objects that the stored version accepts.'),
  KF4045: error('A plugin of the project follows objects in a version that the definition does not have, or a controller in one that is not served.', 'Generate the code again, and write the part for a version that is there.'),
  KF4046: error('A field of [`references` or `unique`](relations.md) is malformed, of a type that cannot take part, or cannot be cleared; or the kind cannot have relations.', 'Follow the message.'),
  KF4047: error('A reference names a kind that its group does not have, a virtual kind, or a kind with objects in an unknown namespace.', 'Fix `kind` or `group`, or name the namespace by `namespaceField`.'),
  KF4048: error('References that every object needs lead back to their own kind, so no object can be created first; or deletes that cascade do.', 'Make one field optional, or let one reference refuse or clear.'),

  KF5001: error('`lock/protobuf.json` is not in the form that the generator writes.', 'Restore the file from version control; never edit it by hand.'),
  KF5002: error('A field with a locked protobuf number would get another type, so clients would misread what is stored and sent.', 'Give the field that has the new type a new name.'),
  KF5003: error('With `--check`: the definitions have fields without a number in `lock/protobuf.json`.', 'Run `kindforge generate`, and commit the lock.'),
  KF5004: error('A change breaks users of the released definitions, or of the definitions that `--against` names.', 'Follow the advice, or allow it in `lock/allow.yaml`; see [changing definitions](diff.md).'),
  KF5005: warning('A change may surprise users of the released definitions, or `check` cannot decide whether it breaks them.', 'Read what `kindforge diff` says about it.'),
  KF5006: error('The allow file is not a list of entries with `resource`, `keyword`, `reason` and `expires`.', 'Follow the message.'),
  KF5007: warning('An entry of the allow file has expired, or matches no difference.', 'Remove the entry, or write a later day.'),
  KF5008: error('The released definitions, or the definitions that `--against` names, have errors.', 'Fix them there.'),
} as const satisfies Record<string, CodeInfo>;

export type Code = keyof typeof codes;

/** Returns the severity of a code in a definition of the native format or in a CustomResourceDefinition. */
export function severityOf(code: Code, isNative: boolean): CodeInfo['severity'] {
  const { severity, isTolerated = false }: CodeInfo = codes[code];
  return isTolerated && !isNative ? 'warning' : severity;
}
