#pragma once
// What a structure consists of; nobody asks here.
#define NOP_STRUCTURE(...)
