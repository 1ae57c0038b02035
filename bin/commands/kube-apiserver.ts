/** `kindforge kube-apiserver …`: runs as the program kube-apiserver would, with its arguments. */

/** The exit code of kube-apiserver for every failure. */
const failed = 1;

/** The name of the subcommand. */
export const apiServerCommand = 'kube-apiserver';

/** Hands arguments of `kindforge serve` to `serve`, or ends the process. */
export async function runApiServer(
  args: readonly string[],
  serve: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  const { readApiServer } = await import('../envtest/run-api-server.js');
  try {
    const next = await readApiServer(args, {
      print: (text) => void process.stdout.write(text),
      warn: (line) => console.error(line),
      environment: process.env,
    });
    if ('exit' in next) process.exitCode = next.exit;
    else {
      await serve(next.serve);
      if (process.exitCode) process.exitCode = failed;
    }
  } catch (error) {
    console.error(`kube-apiserver: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = failed;
  }
}
