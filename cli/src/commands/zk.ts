import { showChecks } from '../checks/show-checks.js';
import type { Commands } from '../command.js';

export function zkCommands(commands: Commands): void {
  const zk = commands.group('zk', 'the proof system');
  zk.command('verify-setup', 'recompute and check the circuit’s keys', async (run, _, options) => {
    const { artifactsFolder } = await import('@svc/zk/setup/artifacts');
    const { artifactChecks, hasTranscript, transcriptCheck } = await import('../checks/verify-setup.js');
    const { artifacts = artifactsFolder } = options as { artifacts?: string };
    const progress = run.progress('Checking hashes, keys and a proof');
    const checks = await artifactChecks(artifacts);
    progress.end();
    if (!options.quick && options.artifacts === undefined && hasTranscript()) {
      const recompiling = run.progress('Compiling the circuit and checking every contribution, about 20 s');
      const transcript = await transcriptCheck();
      recompiling.end();
      if (transcript) checks.push(transcript);
    }
    return showChecks(run, checks);
  })
    .option('--quick', 'skip the compilation and the transcript, which need the repository')
    .option('--artifacts <folder>', 'check the files of another folder, without compilation and transcript');
}
