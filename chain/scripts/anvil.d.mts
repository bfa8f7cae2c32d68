export interface LocalChain {
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}
export function runAnvil(args?: readonly string[], wantedPort?: number): Promise<LocalChain>;
