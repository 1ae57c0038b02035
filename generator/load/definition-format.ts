/** The definition format as types. Printed by `npm run generate:format` from schemas/meta (9d0a9f0631c6fca3); do not edit. */

/**
 * One node of a schema: the values that a field may have. Keys without the prefix x-kindforge- have the same meaning as
 * in a CustomResourceDefinition v1.
 */
export interface SchemaNode {
  /**
   * The shared type of the field, as `<library>#/<Type>`: `bakery/v1#/Topping`. Keys beside it apply to this field
   * only: description, default, bounds and x-… keys.
   */
  $ref?: string;
  /**
   * The JSON type of the value. Required, except beside $ref, x-kubernetes-int-or-string or
   * x-kubernetes-preserve-unknown-fields, and below allOf, anyOf, oneOf and not.
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
   * An example of a value. Nothing depends on it.
   */
  example?: unknown;
  /**
   * A page with more about the field.
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
   * Whether null is a valid value. Otherwise a null is dropped or refused.
   */
  nullable?: boolean;
  /**
   * The only values that the field may have.
   *
   * @minItems 1
   */
  enum?: unknown[];
  /**
   * The fields of an object by name. Other fields are dropped.
   */
  properties?: {
    [k: string]: SchemaNode;
  };
  /**
   * Makes the object a map with any keys, and with values of this schema. Cannot be combined with properties.
   */
  additionalProperties?: SchemaNode | boolean;
  /**
   * Names of the properties that every object must have.
   */
  required?: string[];
  /**
   * Minimum number of keys.
   */
  minProperties?: number;
  /**
   * Maximum number of keys.
   */
  maxProperties?: number;
  /**
   * The schema of each item of a list.
   */
  items?: SchemaNode;
  /**
   * Minimum number of items.
   */
  minItems?: number;
  /**
   * Maximum number of items.
   */
  maxItems?: number;
  /**
   * Must be false, because comparing all items takes too long. Use x-kubernetes-list-type: set instead.
   */
  uniqueItems?: boolean;
  /**
   * Minimum number of characters.
   */
  minLength?: number;
  /**
   * Maximum number of characters.
   */
  maxLength?: number;
  /**
   * A regular expression in RE2 syntax. A part of the string must match; with ^ at the start and $ at the end, the
   * whole string must match.
   */
  pattern?: string;
  /**
   * The smallest valid value.
   */
  minimum?: number;
  /**
   * The largest valid value.
   */
  maximum?: number;
  /**
   * Whether the value must be greater than minimum, and not equal to it.
   */
  exclusiveMinimum?: boolean;
  /**
   * Whether the value must be less than maximum, and not equal to it.
   */
  exclusiveMaximum?: boolean;
  /**
   * The value must be a multiple of this number.
   */
  multipleOf?: number;
  /**
   * More schemas. The value must match all of them. They must not add fields or types.
   */
  allOf?: SchemaNode[];
  /**
   * More schemas. The value must match at least one of them. They must not add fields or types.
   */
  anyOf?: SchemaNode[];
  /**
   * More schemas. The value must match exactly one of them. They must not add fields or types.
   */
  oneOf?: SchemaNode[];
  /**
   * A schema that the value must not match. It must not add fields or types.
   */
  not?: SchemaNode;
  /**
   * Keeps fields that the schema does not have. Beside a $ref it also ends the expansion of a type that refers to
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
   * Says how the server merges the lists of several field managers. atomic: one manager owns the whole list. set: each
   * item is in the list once. map: x-kubernetes-list-map-keys identify the items.
   */
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  /**
   * The properties that identify an item in a list of type map.
   */
  'x-kubernetes-list-map-keys'?: string[];
  /**
   * Says how the server merges the objects of several field managers. granular: field by field. atomic: one manager
   * owns the whole object.
   */
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  /**
   * Rules for the value in the expression language CEL.
   */
  'x-kubernetes-validations'?: {
    /**
     * An expression that must be true. `self` is the value, `oldSelf` the value that it replaces.
     */
    rule: string;
    /**
     * The error message if the rule is not true.
     */
    message?: string;
    /**
     * An expression that returns the error message. If it fails, message is used.
     */
    messageExpression?: string;
    /**
     * The reason of the error. Default: FieldValueInvalid.
     */
    reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
    /**
     * The field that the error names, as a path from this node such as `.x.y`. Default: the node itself.
     */
    fieldPath?: string;
    /**
     * Whether a rule with oldSelf also runs if no old value exists. oldSelf is then optional.
     */
    optionalOldSelf?: boolean;
  }[];
  /**
   * How a strategic merge patch changes the field: merge, replace, retainKeys, or several of them with commas between.
   */
  'x-kubernetes-patch-strategy'?: string;
  /**
   * The property by which a strategic merge patch identifies an item of the list.
   */
  'x-kubernetes-patch-merge-key'?: string;
  /**
   * Whether a written zero ("", 0, false, [], {}) differs from an absent field. explicit: it does. implicit: it does
   * not, and the zero is dropped. always: it does not, and an absent field is stored as its zero. nullable: it does,
   * and an absent field is stored as null.
   */
  'x-kindforge-presence'?: 'explicit' | 'implicit' | 'always' | 'nullable';
  /**
   * Whether the field must keep the value that it had when the object was created.
   */
  'x-kindforge-immutable'?:
    | {
        /**
         * The path that errors name, from the object's root. Default: the field's own path.
         */
        field?: string;
        /**
         * The error message. Default: `field is immutable`.
         */
        message?: string;
      }
    | boolean;
  /**
   * The gate of the field. While it is off, the server drops the field from writes. For optional properties only.
   */
  'x-kindforge-feature-gate'?: string;
  /**
   * The release that added the field. Servers of earlier releases do not have it.
   */
  'x-kindforge-introduced'?: string;
  /**
   * The first release without the field. For properties only.
   */
  'x-kindforge-removed'?: string;
  /**
   * Keywords as they were before a release changed them, by this release, in order; null for a keyword that the release
   * added. Other keywords are as in the latest release.
   */
  'x-kindforge-before'?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  /**
   * Whether a required field also refuses its zero: the empty string, list or map.
   */
  'x-kindforge-non-empty'?: boolean;
  /**
   * The property in which the items of the list must differ; `.` for whole items.
   */
  'x-kindforge-unique'?: string;
  /**
   * A named rule for the string, such as dns-1123-subdomain, dns-1123-label or qualified-name.
   */
  'x-kindforge-name-format'?: string;
  /**
   * Error messages by keyword, such as minimum, pattern or enum.
   */
  'x-kindforge-messages'?: {
    [k: string]: string;
  };
  /**
   * The path that errors name instead of the field's own, relative to its parent; empty for the parent itself.
   */
  'x-kindforge-report-as'?: string;
  /**
   * A second form of a value of the type that contains it. schemas: a list of such values. boolean: true or false.
   * texts: a list of strings.
   */
  'x-kindforge-or'?: 'schemas' | 'boolean' | 'texts';
  /**
   * Precision of a date-time: micros keeps six digits of a second. Default: whole seconds.
   */
  'x-kindforge-time'?: 'micros';
  /**
   * Whether enum and required only inform clients. The server then refuses no other values and no missing fields, but
   * handlers of the kind may.
   */
  'x-kindforge-unchecked'?: boolean;
}

/**
 * Types that several definitions share. Definitions use them by `$ref: <library>#/<Type>`.
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
     * The x-kindforge-presence of scalars, lists and maps in these types, unless they set their own. Default: explicit.
     */
    fieldPresence?: 'explicit' | 'implicit';
    /**
     * The types by name in CamelCase.
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
   * Whether clients can use this version. Default: true.
   */
  served?: boolean;
  /**
   * Whether objects are stored in this version; true for exactly one version. Default: true if there is only one
   * version.
   */
  storage?: boolean;
  /**
   * How far clients may rely on the version, and the releases that served it.
   */
  stability?: {
    /**
     * How finished the version is.
     */
    level: 'alpha' | 'beta' | 'stable';
    /**
     * Release that first served the version.
     */
    introduced?: Release;
    /**
     * Release that deprecated the version.
     */
    deprecated?: Release;
    /**
     * First release that does not serve the version.
     */
    removed?: Release;
    /**
     * The replacement that the warning of a deprecated version names.
     */
    replacement?: {
      /**
       * API group of the replacement. Default: the same group.
       */
      group?: string;
      /**
       * Version of the replacement, such as v1.
       */
      version: string;
      /**
       * Kind of the replacement. Default: the same kind.
       */
      kind?: string;
    };
  };
  /**
   * A warning about the version. Clients get it with every response.
   */
  deprecation?: {
    /**
     * The text of the warning. It should name the replacement.
     */
    message: string;
    /**
     * First release that will not serve the version.
     */
    removedRelease?: Release;
  };
  /**
   * The x-kindforge-presence of scalars, lists and maps of this version, unless they set their own. Default: explicit.
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
     * Whether the kind's strategy provides the values. The schema then need not have the field.
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
     * Columns of priority 0 (the default) are always shown, others only in wide output.
     */
    priority?: number;
    /**
     * JSONPath of the cell, from the object's root.
     */
    jsonPath: string;
    /**
     * Whether the cell shows the time since its value, whatever the type is.
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
   * Converts objects of this version to the stored version, and back.
   */
  conversion?: Conversion;
  /**
   * Paths below the object with their own rights, by name: status, scale, approval and others.
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
 * A path below the object with its own rights.
 */
export interface Subresource {
  /**
   * The verbs of the subresource. Default: get, patch and update.
   *
   * @minItems 1
   */
  verbs?: ('create' | 'delete' | 'get' | 'list' | 'patch' | 'update' | 'watch')[];
  /**
   * Paths that a write here may change, such as status or status.conditions. Other fields keep their values. Default:
   * status for status, specReplicasPath for scale, none for others.
   */
  writes?: string[];
  /**
   * Whether a write here may also change metadata. Default: true for status, false for others.
   */
  writesMetadata?: boolean;
  /**
   * Whether a write of the object itself may change the same paths; otherwise they keep their values. Default: false.
   */
  shared?: boolean;
  /**
   * Only for status: whether a create of the object may set the same paths; otherwise their values are dropped.
   * Default: false.
   */
  atCreate?: boolean;
  /**
   * Paths below the paths in `writes` that a write here never records in managed fields.
   */
  untracked?: string[];
  /**
   * The kind of requests and responses, if it is not the object's own. It is defined as a virtual kind.
   */
  kind?: {
    /**
     * API group of the kind; the empty string is the core group.
     */
    group: string;
    /**
     * Version of the kind, such as v1.
     */
    version: string;
    /**
     * Name of the kind in CamelCase.
     */
    kind: string;
  };
  /**
   * Whether it opens a connection or answers with text, instead of taking and returning objects. `kind` is then the
   * kind of the query's options.
   */
  connects?: boolean;
  /**
   * Whether it passes on requests with any method and any longer path. Only with connects.
   */
  proxy?: boolean;
  /**
   * The query parameters, by name. Only with connects.
   */
  query?: {
    [k: string]: {
      /**
       * The type of the parameter's value.
       */
      type: 'boolean' | 'integer' | 'string';
      /**
       * Whether a request may repeat the parameter.
       */
      repeated?: boolean;
      /**
       * The meaning of the parameter, in Markdown.
       */
      description: string;
    };
  };
  /**
   * Only for scale: path of the wanted number of replicas, such as .spec.replicas.
   */
  specReplicasPath?: string;
  /**
   * Only for scale: path of the observed number of replicas, such as .status.replicas.
   */
  statusReplicasPath?: string;
  /**
   * Only for scale: path of the selector of the replicas, which is a string there.
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
 * Converts objects of this version to the stored version, and back. Fields that no step names have the same place in
 * both.
 */
export interface Conversion {
  /**
   * The steps, in order.
   */
  steps?: Steps;
  /**
   * Name of a conversion in code, which runs after the steps. It converts what steps cannot express.
   */
  function?: string;
  /**
   * Sets of fields. A valid object has at most one field of each set.
   *
   * Items: A set of fields.
   */
  oneOf?: {
    /**
     * Whether the fields are in this version (the default) or in the stored version.
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
   * Fields that a conversion to the other version and back may lose, each with the reason.
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
     * The reason why the field may be lost.
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
   * The kind of the named object.
   */
  kind: string;
  /**
   * API group of the named object; the empty string is the core group. Default: the group of this kind.
   */
  group?: string;
  /**
   * The field with the namespace of the named object. Without it, or if it is empty, the named object is in the same
   * namespace.
   */
  namespaceField?: FieldPath;
  /**
   * The effect of a delete of the named object. refuse (the default): the delete is refused while the field names the
   * object. cascade: the delete first deletes this object. clear: the delete first removes the field.
   */
  onDelete?: 'refuse' | 'cascade' | 'clear';
}

/**
 * Fields that together have the same values in only one object.
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
   * The objects to compare: all objects of the namespace (the default for kinds in namespaces), or of the cluster.
   */
  within?: 'namespace' | 'cluster';
  /**
   * CEL expression over `self`, the object. Only objects for which it is true are compared.
   */
  when?: string;
}

/**
 * A place in objects: keys with dots between them, [] for each item of a list, ["a.b/c"] for keys with special
 * characters. A key that begins with $ is a temporary place between two steps.
 */
export type FieldPath = string;

/**
 * The steps from the stored version to this version, in order. The conversion to the stored version runs them from the
 * last to the first.
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
     * Only values of this type move. One field can thus become several.
     */
    type?: 'string' | 'number' | 'boolean' | 'object' | 'array';
    /**
     * The value of the field if the stored version has none.
     */
    absent?: unknown;
    /**
     * The first release with this step.
     */
    introduced?: Release;
  };
  /**
   * One text of this version is several fields of the stored version.
   */
  split?: {
    /**
     * A field of this version.
     */
    field: FieldPath;
    /**
     * The fields of the parts, in order.
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
   * Several fields of this version are one text of the stored version.
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
   * A single value of one version is the first item of a list in the other version.
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
     * The side that has the list. Default: stored.
     */
    list?: 'field' | 'stored';
    /**
     * Key of the annotation that keeps the other items, in the version with the single value.
     */
    annotation?: string;
  };
  /**
   * A value that one version gets if the other version has none.
   */
  default?: {
    /**
     * A field of this version. It gets the value if the stored version has none.
     */
    field?: FieldPath;
    /**
     * A field of the stored version. It gets the value if this version has none.
     */
    stored?: FieldPath;
    /**
     * The default value, of any type.
     */
    value: unknown;
    /**
     * Key of the annotation that distinguishes a written value from a default one.
     */
    annotation?: string;
  };
  /**
   * A field that always has the same value in one version, and does not exist in the other.
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
     * The value that the field always has.
     */
    value: unknown;
  };
  /**
   * A field is computed from a field of the other version, in both directions.
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
     * The other values of the item, by their paths in the item.
     */
    where: {
      [k: string]: unknown;
    };
    /**
     * Path of the field in the item.
     */
    value: FieldPath;
    /**
     * Whether the item also stays in the list. The field then counts only if the list is absent.
     */
    copied?: boolean;
  };
  /**
   * A field that does not exist in the other version is kept there in an annotation.
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
     * The format of the annotation; text keeps a string unchanged. Default: json.
     */
    as?: 'json' | 'text';
    /**
     * Whether an update without the annotation drops the field. By default the field keeps its value.
     */
    replaceable?: boolean;
    /**
     * The steps, in order.
     */
    steps?: Steps;
  };
  /**
   * Some values are replaced by others in the stored version.
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
     * The values to replace. Other values stay the same.
     *
     * @minItems 1
     *
     * Items: A value in both versions.
     */
    pairs: {
      /**
       * The value in this version.
       */
      field: unknown;
      /**
       * The value in the stored version.
       */
      stored: unknown;
    }[];
  };
  /**
   * Derives a field of the stored version from the fields that are set. This version does not have the derived field.
   */
  derived?: {
    /**
     * A field of the stored version.
     */
    stored: FieldPath;
    /**
     * Paths of fields in the stored version, by the value that the derived field gets if the field is set.
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
       * Name that command lines accept for one object. Default: the kind in lower case.
       */
      singular?: string;
      /**
       * Name of the type in objects: CamelCase, singular.
       */
      kind: string;
      /**
       * Kind of lists. Default: the kind with List at its end.
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
     * Whether objects are in namespaces.
     */
    scope: 'Cluster' | 'Namespaced';
    /**
     * The rule for names of objects. Default: the format dns-1123-subdomain.
     */
    nameRule?: {
      /**
       * A named rule such as dns-1123-subdomain, dns-1123-label, path-segment or csi-driver-name.
       */
      format: string;
      /**
       * Maximum number of characters. Default: 253.
       */
      maxLength?: number;
      /**
       * The suffix that the server adds to a generateName: random characters (the default), or nothing, if names of
       * this kind cannot contain such a suffix.
       */
      generated?: 'random' | 'nothing';
    };
    /**
     * Says when the server counts metadata.generation. counted (the default): it is 1 at creation, and grows with each
     * change outside metadata and status. after-change: it is absent at creation, and set from the first change on.
     * none: it is never set.
     */
    generation?: 'counted' | 'after-change' | 'none';
    /**
     * Whether objects of this kind are never stored: a handler of the server answers requests. No version may have
     * storage: true. If list is not one of the verbs, the kind has no list kind.
     */
    virtual?: boolean;
    /**
     * Whether objects have no metadata, like messages between programs. Only for virtual kinds with an empty list of
     * verbs.
     */
    withoutMetadata?: boolean;
    /**
     * The verbs of the resource. Default: all, or only create for a virtual kind. Empty for a virtual kind that only
     * subresources use.
     */
    verbs?: ('create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch')[];
    /**
     * The response to a finished delete: the object as it was (the default), or a Status.
     */
    deleteReturns?: 'object' | 'Status';
    /**
     * Whether an update of a missing object creates it. Default: false.
     */
    createOnUpdate?: boolean;
    /**
     * Whether an update without a resourceVersion replaces the stored object. Default: true.
     */
    unconditionalUpdate?: boolean;
    /**
     * Paths that a write of the object itself never records in managed fields.
     */
    untracked?: string[];
    /**
     * Name of another definition, such as deployments.apps. Objects of this kind are stored as objects of the other
     * kind. No version of this kind may then have storage: true.
     */
    storedAs?: string;
    /**
     * Whether the kind is part of the machinery for custom resources. Without --emulated-version, servers have the kind
     * as in the latest release.
     */
    machinery?: boolean;
    /**
     * The gate that must be on for the resource to be served.
     */
    featureGate?: string;
    /**
     * The first of the roles view, edit and admin that has rights on the kind. Each role also has the rights of the
     * roles before it.
     */
    access?: {
      /**
       * The first role that may get, list and watch. none means no role. Default: view.
       */
      read?: 'view' | 'edit' | 'admin' | 'none';
      /**
       * The first role that may create, change and delete. none means no role. Default: edit.
       */
      write?: 'edit' | 'admin' | 'none';
    };
    /**
     * Fields that name another object. The named object must exist.
     */
    references?: Reference[];
    /**
     * Values that no two objects may share.
     */
    unique?: Uniqueness[];
    /**
     * The versions of the kind, in any order.
     *
     * @minItems 1
     */
    versions: Version[];
  };
}
