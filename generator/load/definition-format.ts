/** The definition format as types. Printed by `npm run generate:format` from schemas/meta (5f2e2042c1f6b579); do not edit. */

/**
 * One node of a schema: what one field of an object may hold. Keys that do not begin with x-kindforge- mean what they
 * mean in a CustomResourceDefinition v1.
 */
export interface SchemaNode {
  /**
   * A shared type that this field has, as `<library>#/<Type>`: `bakery/v1#/Topping`. Keys beside it apply to this field
   * only: description, default, bounds and x-… keys.
   */
  $ref?: string;
  /**
   * The JSON type of the value. Left out only where x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields
   * takes its place, and below allOf, anyOf, oneOf and not.
   */
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  /**
   * A narrower form of the type: int32, int64, float or double for numbers; date-time, byte, uuid, ipv4 and others for
   * strings.
   */
  format?: string;
  /**
   * A short heading for documentation.
   */
  title?: string;
  /**
   * The meaning of the field, in Markdown. Becomes the comment in generated types and the text of `kubectl explain`.
   */
  description?: string;
  /**
   * The value that an absent field gets. It must be valid by this schema.
   */
  default?: unknown;
  /**
   * A value that shows what is meant. Nothing depends on it.
   */
  example?: unknown;
  /**
   * Where more can be read about the field.
   */
  externalDocs?: {
    /**
     * The content of the page.
     */
    description?: string;
    /**
     * Address of the page.
     */
    url?: string;
  };
  /**
   * Whether null is a value of its own. Otherwise a null is dropped or refused.
   */
  nullable?: boolean;
  /**
   * The only values that the field may have.
   *
   * @minItems 1
   */
  enum?: unknown[];
  /**
   * The fields of an object by name. Others are dropped.
   */
  properties?: {
    [k: string]: SchemaNode;
  };
  /**
   * Makes the object a map: any key, each value by this schema. Excludes properties.
   */
  additionalProperties?: SchemaNode | boolean;
  /**
   * Names of the properties that must be there.
   */
  required?: string[];
  /**
   * The least number of keys.
   */
  minProperties?: number;
  /**
   * The largest number of keys.
   */
  maxProperties?: number;
  /**
   * The schema of each item of a list.
   */
  items?: SchemaNode;
  /**
   * The least number of items.
   */
  minItems?: number;
  /**
   * The largest number of items.
   */
  maxItems?: number;
  /**
   * Must stay false, since comparing all items with each other takes too long; use x-kubernetes-list-type: set.
   */
  uniqueItems?: boolean;
  /**
   * The least number of characters.
   */
  minLength?: number;
  /**
   * The largest number of characters.
   */
  maxLength?: number;
  /**
   * A regular expression in RE2 syntax that a part of the string must match; begin with ^ and end with $ to mean all of
   * it.
   */
  pattern?: string;
  /**
   * The least value.
   */
  minimum?: number;
  /**
   * The largest value.
   */
  maximum?: number;
  /**
   * Whether the value must be greater than minimum rather than equal to it.
   */
  exclusiveMinimum?: boolean;
  /**
   * Whether the value must be less than maximum rather than equal to it.
   */
  exclusiveMaximum?: boolean;
  /**
   * The value must be a multiple of this number.
   */
  multipleOf?: number;
  /**
   * Further rules, all of which must hold. They may not introduce fields or types.
   */
  allOf?: SchemaNode[];
  /**
   * Further rules, at least one of which must hold. They may not introduce fields or types.
   */
  anyOf?: SchemaNode[];
  /**
   * Further rules, exactly one of which must hold. They may not introduce fields or types.
   */
  oneOf?: SchemaNode[];
  /**
   * Rules that must not all hold. They may not introduce fields or types.
   */
  not?: SchemaNode;
  /**
   * Keeps fields that the schema does not know. Beside a $ref it also ends the expansion of a type that refers to
   * itself.
   */
  'x-kubernetes-preserve-unknown-fields'?: true;
  /**
   * The value is a whole object with apiVersion, kind and metadata.
   */
  'x-kubernetes-embedded-resource'?: boolean;
  /**
   * The value is an integer or a string, such as a port number or name. Takes the place of type.
   */
  'x-kubernetes-int-or-string'?: boolean;
  /**
   * How lists of several writers are merged: atomic, the list belongs to one writer as a whole; set, each item once;
   * map, items are told apart by x-kubernetes-list-map-keys.
   */
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  /**
   * The properties that tell the items of a list of type map apart.
   */
  'x-kubernetes-list-map-keys'?: string[];
  /**
   * How objects of several writers are merged: granular, field by field; atomic, the object belongs to one writer as a
   * whole.
   */
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  /**
   * Rules in the expression language CEL that a value must keep.
   */
  'x-kubernetes-validations'?: {
    /**
     * An expression that must be true. `self` is the value, `oldSelf` the one it replaces.
     */
    rule: string;
    /**
     * The error message if the rule is broken.
     */
    message?: string;
    /**
     * An expression that yields the error message; if it fails, message is used.
     */
    messageExpression?: string;
    /**
     * The reason that clients get; FieldValueInvalid where absent.
     */
    reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
    /**
     * The field that is blamed, as a path from this node such as `.x.y`; the node itself where absent.
     */
    fieldPath?: string;
    /**
     * Evaluates a rule with oldSelf also when there is no old value; oldSelf is then optional.
     */
    optionalOldSelf?: boolean;
  }[];
  /**
   * How a strategic merge patch treats the field: merge, replace, retainKeys, or several with commas between.
   */
  'x-kubernetes-patch-strategy'?: string;
  /**
   * The property by which a strategic merge patch tells the items of a list apart.
   */
  'x-kubernetes-patch-merge-key'?: string;
  /**
   * Whether a written zero ("", 0, false, [], {}) differs from an absent field. explicit: it does. implicit: the zero
   * is dropped. always: an absent field is stored as its zero. nullable: it does, and an absent field is stored as
   * null.
   */
  'x-kindforge-presence'?: 'explicit' | 'implicit' | 'always' | 'nullable';
  /**
   * Whether the field keeps the value that it was created with.
   */
  'x-kindforge-immutable'?:
    | {
        /**
         * The path that errors name, from the object's root, where it is not the field's own.
         */
        field?: string;
        /**
         * The error message; `field is immutable` where absent.
         */
        message?: string;
      }
    | boolean;
  /**
   * The gate without which the field is dropped from what is written. For optional properties only.
   */
  'x-kindforge-feature-gate'?: string;
  /**
   * The release that first had the field. A server of an earlier one does not have it.
   */
  'x-kindforge-introduced'?: string;
  /**
   * The first release without the field. For properties only.
   */
  'x-kindforge-removed'?: string;
  /**
   * Keywords as they were before a release changed them, by that release, in order; null for a keyword that it added.
   * The rest of the schema is as in the latest release.
   */
  'x-kindforge-before'?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  /**
   * A required field that also refuses its zero: the empty string, list or map.
   */
  'x-kindforge-non-empty'?: boolean;
  /**
   * Items of the list must differ in this property, or as a whole (`.`).
   */
  'x-kindforge-unique'?: string;
  /**
   * A named rule that the string must keep, such as dns-1123-subdomain, dns-1123-label or qualified-name.
   */
  'x-kindforge-name-format'?: string;
  /**
   * Error messages, by the keyword that refuses the value, such as minimum, pattern or enum.
   */
  'x-kindforge-messages'?: {
    [k: string]: string;
  };
  /**
   * The path that errors name for this field, relative to its parent; empty for the parent itself.
   */
  'x-kindforge-report-as'?: string;
  /**
   * A second form of a value that is normally an object of the enclosing type: schemas, a list of such objects;
   * boolean, true or false; texts, a list of strings.
   */
  'x-kindforge-or'?: 'schemas' | 'boolean' | 'texts';
  /**
   * Precision of a date-time: micros takes and keeps six digits of a second; whole seconds where absent.
   */
  'x-kindforge-time'?: 'micros';
  /**
   * Whether the enum only tells clients which values are known, and the required fields which to write, and nothing is
   * refused; the kind's handlers may.
   */
  'x-kindforge-unchecked'?: boolean;
}

/**
 * Types that several definitions share. Each is written once and used by `$ref: <library>#/<Type>`.
 */
export interface TypeLibrary {
  /**
   * Version of this format.
   */
  apiVersion: 'kindforge.dev/v1';
  /**
   * The kind of this document.
   */
  kind: 'TypeLibrary';
  /**
   * Names the library.
   */
  metadata: {
    /**
     * Name of the library, usually a group's first part and a version: `meta/v1`. Several documents may add types to
     * the same library.
     */
    name: string;
    /**
     * Labels of the document itself. Nothing depends on them.
     */
    labels?: {
      [k: string]: string;
    };
    /**
     * Annotations of the document itself. Nothing depends on them.
     */
    annotations?: {
      [k: string]: string;
    };
  };
  /**
   * The types.
   */
  spec: {
    /**
     * The x-kindforge-presence of scalars, lists and maps in these types that have none of their own; explicit where
     * absent.
     */
    fieldPresence?: 'explicit' | 'implicit';
    /**
     * Each type by its name in CamelCase.
     */
    types: {
      [k: string]: SchemaNode;
    };
  };
}

/**
 * One version of the kind.
 */
export interface Version {
  /**
   * Name of the version: v1, v1beta2, v2alpha1.
   */
  name: string;
  /**
   * Whether clients can use this version; true where absent.
   */
  served?: boolean;
  /**
   * Whether objects are stored in this version. Exactly one version is stored. If there is only one, true by default.
   */
  storage?: boolean;
  /**
   * How far clients may rely on the version, and since when.
   */
  stability?: {
    /**
     * How finished it is.
     */
    level: 'alpha' | 'beta' | 'stable';
    /**
     * Release that first served it.
     */
    introduced?: Release;
    /**
     * Release that advised against it.
     */
    deprecated?: Release;
    /**
     * Release that no longer serves it.
     */
    removed?: Release;
    /**
     * The replacement that the warning of a deprecated version names.
     */
    replacement?: {
      /**
       * Its group; the resource's own where absent.
       */
      group?: string;
      /**
       * Its version.
       */
      version: string;
      /**
       * Its kind; the resource's own where absent.
       */
      kind?: string;
    };
  };
  /**
   * A warning about the version, which clients get with every answer.
   */
  deprecation?: {
    /**
     * The advice, with what to use instead.
     */
    message: string;
    /**
     * Release that will stop serving the version.
     */
    removedRelease?: Release;
  };
  /**
   * The x-kindforge-presence of scalars, lists and maps of this version that have none of their own; explicit where
   * absent.
   */
  fieldPresence?: 'explicit' | 'implicit';
  /**
   * Fields that field selectors may name besides metadata.name and metadata.namespace.
   *
   * Items: One such field.
   */
  selectableFields?: {
    /**
     * Path of the field from the object's root, such as .spec.nodeName.
     */
    jsonPath: string;
    /**
     * Whether its values come from the kind's strategy, so that the schema need not have such a field.
     */
    byStrategy?: boolean;
    /**
     * The release that added it.
     */
    introduced?: Release;
  }[];
  /**
   * Columns of tables, after the name.
   *
   * Items: One column.
   */
  additionalPrinterColumns?: {
    /**
     * Heading of the column.
     */
    name: string;
    /**
     * Type of the cells. Cells of type date show the time since then.
     */
    type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
    /**
     * A narrower form of the type, such as int64; name for the column of names.
     */
    format?: string;
    /**
     * The content of the column.
     */
    description?: string;
    /**
     * 0 (the default) is always shown, more only in wide output.
     */
    priority?: number;
    /**
     * Where the cell is found, as a JSONPath from the object's root.
     */
    jsonPath: string;
    /**
     * Shows a time as the time since then, whatever the type says.
     */
    age?: boolean;
    /**
     * The release that added it.
     */
    introduced?: Release;
    /**
     * The first release without it.
     */
    removed?: Release;
  }[];
  /**
   * How objects of this version become those of the stored one, and back.
   */
  conversion?: Conversion;
  /**
   * Paths below the object with rights of their own, by name: status, scale, approval and others.
   */
  subresources?: {
    [k: string]: Subresource;
  };
  /**
   * The schema of this version.
   */
  schema: {
    /**
     * The schema of the whole object. apiVersion, kind and metadata need not be written.
     */
    openAPIV3Schema: SchemaNode;
  };
}

/**
 * One subresource.
 */
export interface Subresource {
  /**
   * The verbs of the subresource; get, patch and update where absent.
   *
   * @minItems 1
   */
  verbs?: ('create' | 'delete' | 'get' | 'list' | 'patch' | 'update' | 'watch')[];
  /**
   * Paths that a write here may change, such as status or status.conditions; everything else stays as it was. status
   * writes status and scale the replicas where absent.
   */
  writes?: string[];
  /**
   * Whether a write here may change metadata too; true for status and false for others where absent.
   */
  writesMetadata?: boolean;
  /**
   * Whether a write of the object itself may change the same paths; false where absent, so that such a write leaves
   * them as they were.
   */
  shared?: boolean;
  /**
   * Only for status: whether a create of the object may fill the same paths; false where absent, so that what it says
   * there is dropped.
   */
  atCreate?: boolean;
  /**
   * Paths below those in `writes` that never belong to a field manager.
   */
  untracked?: string[];
  /**
   * The kind that the subresource takes and answers, where that is not the object's own. It is defined as a virtual
   * kind.
   */
  kind?: {
    /**
     * Its API group; the empty string is the core group.
     */
    group: string;
    /**
     * Its version, such as v1.
     */
    version: string;
    /**
     * Its name, CamelCase.
     */
    kind: string;
  };
  /**
   * Whether requests open a connection or are answered with text, rather than take and answer objects. `kind` is then
   * the kind of the query's options.
   */
  connects?: boolean;
  /**
   * Whether any method is passed on, and whatever follows in the path. Only with connects.
   */
  proxy?: boolean;
  /**
   * The parameters of the query, by name. Only with connects.
   */
  query?: {
    [k: string]: {
      /**
       * The type of its value.
       */
      type: 'boolean' | 'integer' | 'string';
      /**
       * Whether it may be given several times.
       */
      repeated?: boolean;
      /**
       * The meaning of the parameter, in Markdown.
       */
      description: string;
    };
  };
  /**
   * Only for scale: where the wanted number of replicas is, such as .spec.replicas.
   */
  specReplicasPath?: string;
  /**
   * Only for scale: where the observed number of replicas is, such as .status.replicas.
   */
  statusReplicasPath?: string;
  /**
   * Only for scale: where the selector of the replicas is found as a string.
   */
  labelSelectorPath?: string;
  /**
   * The release that added it.
   */
  introduced?: Release;
  /**
   * The first release without it.
   */
  removed?: Release;
}

/**
 * How objects of this version become those of the stored one, and back. Fields that nothing is said of have the same
 * place in both.
 */
export interface Conversion {
  /**
   * The steps, in order.
   */
  steps?: Steps;
  /**
   * Name of a conversion in code that does what no step can say, after the steps.
   */
  function?: string;
  /**
   * Fields of which no valid object has more than one.
   *
   * Items: Some such fields.
   */
  oneOf?: {
    /**
     * Whether they are fields of this version (the default) or of the stored one.
     */
    of?: 'this' | 'stored';
    /**
     * The fields.
     *
     * @minItems 2
     */
    fields: FieldPath[];
  }[];
  /**
   * Fields that do not come back from the other version, with the reason why that may be.
   *
   * Items: One such field.
   */
  lost?: {
    /**
     * A field of this version.
     */
    field?: FieldPath;
    /**
     * A field of the stored version.
     */
    stored?: FieldPath;
    /**
     * Why nobody misses it.
     */
    because: string;
  }[];
}

/**
 * A field with the name of another object.
 */
export interface Reference {
  /**
   * The field with the name, in the stored version. It is a text, or the texts of a list.
   */
  field: FieldPath;
  /**
   * The kind of the object that it names.
   */
  kind: string;
  /**
   * The API group of that kind; the empty string is the core group. The own group by default.
   */
  group?: string;
  /**
   * The field with the namespace of the object. If absent or empty, it is in the same namespace.
   */
  namespaceField?: FieldPath;
  /**
   * The effect of a delete of the named object. refuse (the default): it is refused while the field names the object.
   * cascade: it deletes this object first. clear: it removes the field first.
   */
  onDelete?: 'refuse' | 'cascade' | 'clear';
}

/**
 * Fields that have the same values, taken together, in only one object.
 */
export interface Uniqueness {
  /**
   * The fields, in the stored version. An object that lacks one of them is not compared.
   *
   * @minItems 1
   * @maxItems 8
   */
  fields: FieldPath[];
  /**
   * The objects that are compared: of one namespace (the default for kinds in namespaces), or of the whole cluster.
   */
  within?: 'namespace' | 'cluster';
  /**
   * CEL expression over `self`, the object. Only objects for which it is true are compared.
   */
  when?: string;
}

/**
 * A place in objects: keys with dots between them, [] for each item of a list, ["a.b/c"] for a key that is no word. A
 * key that begins with $ is a temporary place between two steps.
 */
export type FieldPath = string;

/**
 * The steps from the stored version to this one, in order; the way back takes them from the last to the first.
 *
 * Items: One step.
 */
export type Steps = {
  /**
   * A field has another place in the stored version.
   */
  move?: {
    /**
     * A field of this version.
     */
    field: FieldPath;
    /**
     * A field of the stored version.
     */
    stored: FieldPath;
    /**
     * Only values of this type move, so that one field becomes several.
     */
    type?: 'string' | 'number' | 'boolean' | 'object' | 'array';
    /**
     * The value of the field when the stored version has none.
     */
    absent?: unknown;
    /**
     * The first release with this step.
     */
    introduced?: Release;
  };
  /**
   * A text is several fields of the stored version.
   */
  split?: {
    /**
     * A field of this version.
     */
    field: FieldPath;
    /**
     * Its parts, in order.
     *
     * @minItems 2
     */
    stored: FieldPath[];
    /**
     * The text between the parts.
     */
    separator: string;
  };
  /**
   * Several fields are one text of the stored version.
   */
  join?: {
    /**
     * The parts, in order.
     *
     * @minItems 2
     */
    fields: FieldPath[];
    /**
     * The text in the stored version.
     */
    stored: FieldPath;
    /**
     * The text between the parts.
     */
    separator: string;
  };
  /**
   * A single value of one version is the first item of a list in the other one.
   */
  wrap?: {
    /**
     * A field of this version.
     */
    field: FieldPath;
    /**
     * A field of the stored version.
     */
    stored: FieldPath;
    /**
     * Which of both is the list; stored where absent.
     */
    list?: 'field' | 'stored';
    /**
     * Key of the annotation that keeps the other items, in the version with the single value.
     */
    annotation?: string;
  };
  /**
   * A value that one version has where the other one has none.
   */
  default?: {
    /**
     * A field of this version, which has the value where the stored one has none.
     */
    field?: FieldPath;
    /**
     * A field of the stored version, which has the value where this one has none.
     */
    stored?: FieldPath;
    /**
     * The value.
     */
    value: unknown;
    /**
     * Key of the annotation that marks a value which the version without the default has written itself.
     */
    annotation?: string;
  };
  /**
   * A field that one version always has with the same value, and the other one not at all.
   */
  constant?: {
    /**
     * A field of this version.
     */
    field?: FieldPath;
    /**
     * A field of the stored version.
     */
    stored?: FieldPath;
    /**
     * The value.
     */
    value: unknown;
  };
  /**
   * A field is computed from one of the other version, in both directions.
   */
  expression?: {
    /**
     * A field of this version.
     */
    field: FieldPath;
    /**
     * A field of the stored version.
     */
    stored: FieldPath;
    /**
     * CEL expression of the stored value; `self` is the field of this version, `object` the object around it.
     */
    toStored: string;
    /**
     * CEL expression of the field; `self` is the stored value, `object` the stored object around it.
     */
    fromStored: string;
  };
  /**
   * A field is one item of a list in the stored version.
   */
  item?: {
    /**
     * A field of this version.
     */
    field: FieldPath;
    /**
     * The list that the item is in.
     */
    stored: FieldPath;
    /**
     * The other values of the item, by their places in the item.
     */
    where: {
      [k: string]: unknown;
    };
    /**
     * Where in the item the field is.
     */
    value: FieldPath;
    /**
     * Whether the item stays in the list too; the field then counts only where there is no list.
     */
    copied?: boolean;
  };
  /**
   * A field that the other version lacks is kept there in an annotation.
   */
  annotation?: {
    /**
     * Key of the annotation.
     */
    key: string;
    /**
     * A field of this version.
     */
    field?: FieldPath;
    /**
     * A field of the stored version.
     */
    stored?: FieldPath;
    /**
     * How it is written; json where absent.
     */
    as?: 'json' | 'text';
    /**
     * Whether an update that leaves the annotation out drops the field; it stays as it was where absent.
     */
    replaceable?: boolean;
    /**
     * The steps, in order.
     */
    steps?: Steps;
  };
  /**
   * Some values mean others in the stored version.
   */
  values?: {
    /**
     * A field of this version.
     */
    field: FieldPath;
    /**
     * A field of the stored version.
     */
    stored: FieldPath;
    /**
     * The values with another meaning.
     *
     * @minItems 1
     *
     * Items: A value in both versions.
     */
    pairs: {
      /**
       * In this version.
       */
      field: unknown;
      /**
       * In the stored one.
       */
      stored: unknown;
    }[];
  };
  /**
   * A field of the stored version names which of several fields is set. This version does not have it.
   */
  derived?: {
    /**
     * A field of the stored version.
     */
    stored: FieldPath;
    /**
     * The fields that it can name: each value with the path of its field.
     */
    from: {
      [k: string]: FieldPath;
    };
  };
  /**
   * Steps with paths relative to a common parent.
   */
  within?: {
    /**
     * The path of the parent.
     */
    path: FieldPath;
    /**
     * The steps, in order.
     */
    steps: Steps;
  };
}[];

/**
 * A release, such as 1.27.
 */
export type Release = string;

/**
 * A kind of the API: its names, versions, schema and behaviour. One document per kind.
 */
export interface ResourceDefinition {
  /**
   * Version of this format.
   */
  apiVersion: 'kindforge.dev/v1';
  /**
   * The kind of this document.
   */
  kind: 'ResourceDefinition';
  /**
   * Names the definition.
   */
  metadata: {
    /**
     * `<plural>.<group>`; only the plural for the core group.
     */
    name: string;
    /**
     * Labels of the document itself. Nothing depends on them.
     */
    labels?: {
      [k: string]: string;
    };
    /**
     * Annotations of the document itself. Nothing depends on them.
     */
    annotations?: {
      [k: string]: string;
    };
  };
  /**
   * The names, scope, behaviour and versions of the kind.
   */
  spec: {
    /**
     * API group, a domain name such as storage.platform.io. The empty string is the core group.
     */
    group: string;
    /**
     * The names of the resource.
     */
    names: {
      /**
       * Name in URLs and access rules: lower case, plural.
       */
      plural: string;
      /**
       * Name that command lines accept for one object; the kind in lower case where absent.
       */
      singular?: string;
      /**
       * Name of the type in objects: CamelCase, singular.
       */
      kind: string;
      /**
       * Kind of lists; the kind with List at its end where absent.
       */
      listKind?: string;
      /**
       * Short forms for command lines.
       */
      shortNames?: string[];
      /**
       * Groups of resources that command lines list together, such as all.
       */
      categories?: string[];
    };
    /**
     * Whether objects lie in namespaces.
     */
    scope: 'Cluster' | 'Namespaced';
    /**
     * The rule for names of objects; dns-1123-subdomain where absent.
     */
    nameRule?: {
      /**
       * A named rule such as dns-1123-subdomain, dns-1123-label, path-segment or csi-driver-name.
       */
      format: string;
      /**
       * The largest number of characters; 253 where absent.
       */
      maxLength?: number;
      /**
       * The suffix that the server adds to a generateName: random characters (the default), or nothing, for names that
       * cannot contain them.
       */
      generated?: 'random' | 'nothing';
    };
    /**
     * When metadata.generation counts. counted (the default): from 1, at each change outside metadata and status.
     * after-change: absent at creation, counts from the first change on. none: never set.
     */
    generation?: 'counted' | 'after-change' | 'none';
    /**
     * Whether nothing of this kind is stored: a handler of the server answers its requests. No version stores, and
     * lists have no kind unless list is among the verbs.
     */
    virtual?: boolean;
    /**
     * Whether objects have no metadata, as messages between programs may. Only for virtual kinds with an empty list of
     * verbs.
     */
    withoutMetadata?: boolean;
    /**
     * The verbs of the resource; all where absent, or only create if it is virtual. Empty for a virtual kind that only
     * subresources take.
     */
    verbs?: ('create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch')[];
    /**
     * The response to a finished delete: the object as it was (the default), or a Status.
     */
    deleteReturns?: 'object' | 'Status';
    /**
     * Whether an update of a missing object creates it; false where absent.
     */
    createOnUpdate?: boolean;
    /**
     * Whether an update without a resourceVersion replaces whatever is stored; true where absent.
     */
    unconditionalUpdate?: boolean;
    /**
     * Paths that never belong to a field manager when the object itself is written.
     */
    untracked?: string[];
    /**
     * Name of another definition, such as deployments.apps: objects of this one are stored as objects of that one. Then
     * no version of this one has storage: true.
     */
    storedAs?: string;
    /**
     * Whether the kind is part of the machinery for custom resources: without an emulated release, a server has it as
     * in the latest.
     */
    machinery?: boolean;
    /**
     * The gate that must be on for the resource to be served.
     */
    featureGate?: string;
    /**
     * The first of the roles view, edit and admin with rights on the kind; each role has the rights of those before it.
     */
    access?: {
      /**
       * The first role that may get, list and watch: view by default, none for no role.
       */
      read?: 'view' | 'edit' | 'admin' | 'none';
      /**
       * The first role that may create, change and delete: edit by default, none for no role.
       */
      write?: 'edit' | 'admin' | 'none';
    };
    /**
     * Fields that name another object, which has to exist.
     */
    references?: Reference[];
    /**
     * Values that no two objects may share.
     */
    unique?: Uniqueness[];
    /**
     * The versions of the kind, newest first or in any other order.
     *
     * @minItems 1
     */
    versions: Version[];
  };
}
