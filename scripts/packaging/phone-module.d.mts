export function bundleScript(source: string): Promise<string>;
export function phoneModuleBytes(): Promise<number>;
