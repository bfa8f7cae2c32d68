export interface LocalChain {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}
export function runAnvil(args?: readonly string[], wantedPort?: number): Promise<LocalChain>;
