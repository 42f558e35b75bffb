#pragma once
#include <nop/serializer.h>
