import type { Bench } from '../bench.ts'
export async function measureCollector(_bench: Bench): Promise<void> {}
