#pragma once
// Nothing of this header is used; see context.h.
