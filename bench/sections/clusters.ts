import type { Bench } from '../bench.ts'
export async function measureClusters(_bench: Bench): Promise<void> {}
