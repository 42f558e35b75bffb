//! Tree search over any game: pure gather and apply halves over an arena tree.
