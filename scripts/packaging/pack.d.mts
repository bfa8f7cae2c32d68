/** The types of pack.mjs for tests in other workspaces. */
export function packSdk(folder?: string): Promise<{
  readonly tarball: string;
  readonly staged: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Bytes of the tarball. */
  readonly size: number;
}>;
