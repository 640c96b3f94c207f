#!/usr/bin/env node
/**
 * The `windlass` command. Plain JavaScript without imports by name, so that an old Node gets as far as the sentence that refuses it.
 */
import './require-node.js'
import module from 'node:module'

// Stripped and compiled sources are kept between runs: half of the time to start would go into making them again.
module.enableCompileCache()

const { main, systemContext } = await import('../src/main.ts')
process.exitCode = await main(process.argv.slice(2), systemContext)
