export function swapFolder(fresh: string, target: string): Promise<void>;
