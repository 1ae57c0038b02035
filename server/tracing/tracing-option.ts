/** The option of traces. */
import type { TracerProvider } from '@opentelemetry/api';

/** A file that says where traces go; or a provider of one's own, which stays open when the server stops. */
export type TracingOption =
  | {
      /** A `TracingConfiguration` in YAML. */
      readonly configFile: string;
    }
  | { readonly tracerProvider: TracerProvider };
